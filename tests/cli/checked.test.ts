import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { here } from './support/here.ts';
import { git, makeRepository } from './support/repository.ts';
import { type Ended, type Scratch, scratch, start } from './support/ralph.ts';

let place: Scratch;
let home: string;
let repository: string;
let ended: Ended;
let followed: Ended;

/** Claims completion in every round, adds a line in each, and would rather be checked by another gate. */
const OTHER = '{"gates":["true"]}';
const CLAIMING = [
  `printf '%s' '${OTHER}' > ralph.json`,
  'cat >/dev/null; echo "at work in round $RALPH_ROUND"; echo "line $RALPH_ROUND" >> a.txt',
  `printf '%s' '{"status":"complete","summary":"done","evidence":["seen"],"nextSteps":[],"blocker":""}' > "$RALPH_REPORT_FILE"`,
].join('\n');
const ACCEPTING = `cat >/dev/null; echo reads; printf '%s' '{"decision":"accept","reasons":[]}' > "$RALPH_REPORT_FILE"`;
const GATE = 'test $(wc -l < a.txt) -ge 3';

beforeAll(async () => {
  place = await scratch();
  ({ home } = place);
  const asked = { gates: [{ command: GATE, timeout: '2m' }], protect: ['tests/**'], maxTime: '1h', stallRounds: 2 };
  const files = { 'a.txt': 'first\n', 'tests/a.js': '', 'ralph.json': JSON.stringify(asked) };
  repository = makeRepository(path.join(place.folder, 'widgets'), files);
  const flags = ['--command', CLAIMING, '--reviewer-command', ACCEPTING, '--max-wait', '30m', '--max-rejections', '3'];
  const setup = ['--setup', 'echo setting up'];
  const programs = path.join(place.folder, 'programs');
  await mkdir(programs);
  await writeFile(path.join(programs, 'codex'), '', { mode: 0o755 });
  await writeFile(path.join(home, 'env'), 'OPENAI_API_KEY=k\n', { mode: 0o600 });
  const env = { PATH: `${programs}:${process.env['PATH']}` };
  const run = start(['run', 'Add lines.', '--id', 'checked', ...setup, ...flags], { home, cwd: repository, env });
  await run.until(/gates before round 1/);
  followed = await start(['log', 'checked', '--follow'], { home }).ended;
  ended = await run.ended;
});
afterAll(() => place.remove());

test('a run says at its start what checks it and what it may use: by flags, and by the ralph.json of its repository', () => {
  expect(ended.stdout).toMatch(/^Gates +test \$\(wc -l < a\.txt\) -ge 3 \(within 2m\)\n +\(on a clean checkout\)$/m);
  expect(ended.stdout).toMatch(/^Protected +tests\/\*\*$/m);
  expect(ended.stdout).toMatch(/^Reviewer +cat >\/dev\/null; echo reads; printf/m);
  expect(ended.stdout).toMatch(/^Budget +at most 256 rounds, 1h of work, 30m of waiting$/m);
  expect(ended.stdout).toMatch(/^Stalls +after 2 rounds without a change or 3 rejected completion claims in a row/m);
});

test('while it is followed, the gates before round 1, a rejected claim, and what let it end are told in order', () => {
  const lines = ended.stdout.split('\n').filter((line) => /^[✓✗·] /.test(line));
  expect(lines).toEqual([
    `· gates before round 1: ✗ ${GATE}: exit code 1`,
    expect.stringMatching(/^· round 1 {2}claims completion {2}/),
    `✗ gates of round 1: rejected the completion claim: gate "${GATE}" ended with exit code 1`,
    expect.stringMatching(/^· round 2 {2}claims completion {2}/),
    '✓ gates of round 2: passed',
    '✓ review of round 2: accepted',
  ]);
  expect(ended.code).toBe(0);
  expect(ended.stdout).toMatch(
    /^checked: complete: 1 gate passed on a clean checkout, and the review command accepted it \(2 rounds in /m,
  );
});

test('gates are those of the start, whatever the agent writes into ralph.json', async () => {
  expect(git(repository, 'show', 'ralph/checked:ralph.json')).toBe(OTHER);
  const run = JSON.parse((await here(['show', 'checked', '--json'], { home })).stdout);
  expect(run.request.request.gates).toEqual([{ command: GATE, timeoutMs: 120_000 }]);
  expect(ended.stdout).toContain(`✗ gates of round 1: rejected the completion claim: gate "${GATE}"`);
});

test('log --follow has what setup, agents, gates and reviewers print, in their order, and log has the same afterwards', async () => {
  const checkout = 'gates: echo setting up, stdout ──\nsetting up';
  expect(followed.stdout).toBe(
    `── setup, stdout ──\nsetting up\n` +
      `── round 1, attempt 1, stdout ──\nat work in round 1\n── round 1, ${checkout}\n` +
      `── round 2, attempt 1, stdout ──\nat work in round 2\n── round 2, ${checkout}\n` +
      '── round 2, review, stdout ──\nreads\n',
  );
  expect((await here(['log', 'checked'], { home })).stdout).toBe(followed.stdout);
  expect((await here(['log', 'checked', '--gates'], { home })).stdout).toMatch(`── before round 1, ${checkout}\n`);
});

test('afterwards show has the rejected claim in its table, and why says who accepted it', async () => {
  const { stdout } = await here(['show', 'checked'], { home });
  expect(stdout).toMatch(/^ +1 +rejected +\S+/m);
  expect(stdout).toMatch(/^ +2 +complete +\S+/m);
  const why = await here(['why', 'checked'], { home });
  expect(why.stdout).toMatch(/^checked: complete: 1 gate passed.*\n[^]*review of round 2: accepted/);
  const run = JSON.parse((await here(['show', 'checked', '--json'], { home })).stdout);
  expect(run).toMatchObject({
    phase: { how: { ending: { verification: 'reviewed' } } },
    ceilings: { budgets: { maxTimeMs: 3_600_000, maxWaitMs: 1_800_000, maxCostUsd: null } },
    request: { request: { limits: { stallRounds: 2, maxRejections: 3 } } },
    spend: { costUsd: { kind: 'unknown' } },
  });
  expect(run.spend.timeMs.amount).toBeGreaterThan(0);
});

test('a program is looked for where the worker that runs looks, not on the PATH of this shell', async () => {
  const { stdout } = await here(['doctor'], { home, env: { PATH: '/usr/bin:/bin' } });
  expect(stdout).toMatch(/^ {2}✓ codex +codex, whose version is unknown .*; a key or login is there$/m);
});
