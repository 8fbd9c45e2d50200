import { readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { readOutcome } from '../../workspaces/records/attempts.ts';
import { runPaths } from '../../workspaces/records/run-paths.ts';
import { here } from './support/here.ts';
import { runFolder } from './support/recorded-run.ts';
import { appending, reporting } from './support/agents.ts';
import { git, makeRepository } from './support/repository.ts';
import { tagged } from './support/tagged.ts';
import { type Ended, ralph, type Scratch, scratch } from './support/ralph.ts';

/** Completes where it can neither write to its workspace nor has a network. */
const HELD = `if touch a.txt 2>/dev/null || [ "$(grep -c : /proc/net/dev)" != 1 ]; then exit 3; fi; ${reporting({ status: 'complete', summary: 'held' })}`;

let place: Scratch;
let home: string;
let repository: string;
/** Fails always alike, and tells what it cost. */
const COSTLY = `cat >/dev/null; printf '{"inputTokens":1000,"outputTokens":0,"costUsd":2}' > "$RALPH_USAGE_FILE"; exit 7`;
/** Seven runs, started at the same moment with nothing running. */
let ends: Ended[];

const inRepository = (...args: string[]): Promise<Ended> => ralph(args, { home, cwd: repository });
/** Read in this process, which is faster. */
const read = (...args: string[]): Promise<Ended> => here(args, { home });
const run = (id: string, command: string, ...more: string[]): Promise<Ended> =>
  inRepository('run', `Objective of ${id}`, '--id', id, '--command', command, ...more);
const shown = async (id: string) => JSON.parse((await read('show', id, '--json')).stdout);

beforeAll(async () => {
  place = await scratch();
  ({ home } = place);
  repository = makeRepository(path.join(place.folder, 'widgets'), { 'a.txt': 'first\n' });
  ends = await Promise.all([
    run('complete', appending(3), '--setup', 'echo setting up'),
    run('blocked', reporting({ status: 'blocked', summary: 'cannot go on' }), '--json'),
    run('spent', reporting({ status: 'continue', summary: 'half of it' }), '--max-rounds', '1'),
    run('failed', 'cat >/dev/null; echo broken >&2; exit 7', '--round-attempts', '1'),
    run('held', HELD, '--sandbox', 'read-only', '--no-network'),
    run('costly', COSTLY),
    run('repeats', COSTLY, '--round-attempts', '9'),
  ]);
});
afterAll(() => place.remove());

test('runs that are started at the same moment with nothing running share one server and one worker; the exit code tells how each ended', async () => {
  expect(ends.map(({ code }) => code)).toEqual([0, 10, 11, 13, 0, 13, 12]);
  const [complete, blocked, spent, failed] = ends.map(({ stdout }) => stdout);
  expect(complete).toMatch(/^Run complete on .*widgets from HEAD/);
  expect(complete).toMatch(/^✓ round 1 {2}continue {2}\S+ {2}1 file \+1 −0 {2}one line more$/m);
  expect(complete).toMatch(/^· round 3 {2}claims completion/m);
  expect(complete).toMatch(/^complete: complete, as the agent reports; no gate checked it \(3 rounds in /m);
  expect(complete).toMatch(/^Branch +ralph\/complete at [0-9a-f]{7}$/m);
  expect(complete).toMatch(/^git merge ralph\/complete /m);
  expect(JSON.parse(blocked ?? '')).toMatchObject({
    status: 'blocked',
    phase: { how: { ending: { report: { blocker: 'no key for the registry' } } } },
  });
  expect(spent).toMatch(/^spent: out of budget \(rounds\): 1 of 1 round is used .*\n {2}Last handoff: half of it$/m);
  expect(failed).toMatch(/^failed: failed in round 1 after 1 attempt: .*\n {2}agent-crashed: /m);
  expect(git(repository, 'show', 'ralph/complete:a.txt')).toBe('first\nline 1\nline 2\nline 3');
  expect(git(repository, 'status', '--porcelain')).toBe('');
  const status = JSON.parse((await read('status', '--json')).stdout);
  expect(status).toMatchObject({ temporal: { server: { kind: 'ready' } }, worker: { kind: 'ready' }, liveRuns: [] });
  expect(await tagged(`--db-filename=${home}/temporal.db`)).toHaveLength(1);
});

test('one that fails three times alike ends, with attempts left or not, and is told with what it cost', async () => {
  for (const [n, id] of ['costly', 'repeats'].entries()) {
    expect(await shown(id)).toMatchObject({ rounds: [{ attempts: 3 }], spend: { costUsd: { amount: 6 } } });
    expect(ends[5 + n]?.stdout).toMatch(/\$6\.00/);
    expect((await read('why', id)).stdout).toMatch(/\$6\.00/);
  }
});

test('an id in use is refused', async () => {
  const { code, stderr } = await run('complete', appending(1));
  expect(code).toBe(2);
  expect(stderr).toMatch(/Run "complete" already exists/);
});

test('show, log and diff tell what a run did', async () => {
  expect(await shown('complete')).toMatchObject({
    status: 'complete',
    work: { kind: 'branch', branch: 'ralph/complete' },
    rounds: [
      { outcome: { kind: 'continue' }, changes: { files: 1, insertions: 1, deletions: 0 } },
      {},
      { outcome: { kind: 'complete', verdict: { kind: 'accepted' } } },
    ],
    temporal: { kind: 'not-asked', page: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\//) },
  });
  const log = await read('log', 'complete', '--round', '2');
  expect(log.stdout).toBe('── round 2, attempt 1, stdout ──\nat work in round 2 of 256\n');
  const all = await read('log', 'complete', '--follow');
  expect(all.stdout.match(/^──.*──$/gm)).toEqual([
    '── setup, stdout ──',
    ...[1, 2, 3].map((round) => `── round ${round}, attempt 1, stdout ──`),
  ]);
  const diff = await read('diff', 'complete');
  expect(diff.stdout).toMatch(/^\+line 1\n\+line 2\n\+line 3$/m);
  const one = await read('diff', 'complete', '--round', '2');
  expect(one.stdout.match(/^\+line.*$/gm)).toEqual(['+line 2']);
  expect((await read('diff', 'complete', '--stat')).stdout).toMatch(/a\.txt \| +3 \+\+\+/);
  const failure = await read('log', 'failed');
  expect(failure.stdout).toMatch(/── round 1, attempt 1, stderr ──\nbroken\n/);
});

test.each([
  ['complete', { level: 'workspace-write', network: true }],
  ['held', { level: 'read-only', network: false }],
])('the sandbox that held a round stands in its record: of run %s', async (id, sandbox) => {
  const outcome = { sandbox: { ...sandbox, mechanism: 'bubblewrap' } };
  expect(await readOutcome(runPaths(home, id), 1, 1)).toMatchObject(outcome);
  const round = await read('show', id, '--round', '1', '--json');
  expect(JSON.parse(round.stdout)).toMatchObject({ attempts: [{ outcome: { kind: 'there', record: outcome } }] });
});

test('a detached run is followed by watch, whose exit code tells how it ended', async () => {
  const detached = await run('detached', appending(2), '--detach');
  expect(detached).toMatchObject({
    code: 0,
    stdout: 'detached\n',
    stderr: expect.stringMatching(/ralph watch detached/),
  });
  const watched = await inRepository('watch', 'detached');
  expect(watched.code).toBe(0);
  // A line for every round that ends meanwhile, a table where the run was faster than us.
  expect(watched.stdout).toMatch(/^(✓ round 1 | +1 +continue )[^]*^(· round 2 | +2 +complete )/m);
  expect((await inRepository('watch', 'spent')).code).toBe(11);
});

test('a hard objective of 60 KB from stdin arrives byte for byte, and is in no log', async () => {
  const objective = `MARKER & | > " ' $HOME \`id\` \\ \r\n\t🦀 ${'x'.repeat(60_000)}\n`;
  const { code } = await ralph(
    ['run', '-', '--id', 'hard', '--command', reporting({ status: 'complete', summary: 's' })],
    {
      home,
      cwd: repository,
      input: objective,
    },
  );
  expect(code).toBe(0);
  expect((await shown('hard')).request.request.objective).toBe(objective);
  const prompt = await readFile(path.join(runFolder(home, 'hard'), 'rounds/1/attempt-1/prompt.md'), 'utf8');
  expect(prompt).toContain(objective);
  const logs = await readdir(path.join(home, 'logs'));
  for (const log of logs) expect(await readFile(path.join(home, 'logs', log), 'utf8')).not.toContain('MARKER');
});

test('a run whose files are gone is told from Temporal’s history', async () => {
  await rm(runFolder(home, 'detached'), { recursive: true });
  expect(await shown('detached')).toMatchObject({
    status: 'complete',
    folder: null,
    rounds: [
      { round: 1, outcome: { kind: 'continue' }, summary: 'one line more' },
      { round: 2, outcome: { kind: 'complete', verdict: { kind: 'accepted' } } },
    ],
  });
  const round = await read('show', 'detached', '--round', '1');
  expect(round.code).toBe(0);
  expect(round.stdout).toMatch(/^Summary +one line more$/m);
});

test('down stops everything; then list, show, log and diff still tell it all', async () => {
  const before = await shown('complete');
  const down = await inRepository('down');
  expect(down).toMatchObject({ code: 0, stdout: expect.stringMatching(/Worker stopped\.\nTemporal server stopped/) });
  expect(await shown('complete')).toEqual({ ...before, temporal: { kind: 'not-asked', page: null } });
  expect((await read('list')).stdout).toMatch(/^complete +complete +3\/256/m);
  expect((await read('log', 'complete')).stdout).toMatch(/at work in round 3/);
  expect((await read('diff', 'complete')).stdout).toMatch(/^\+line 3$/m);
  expect((await inRepository('watch', 'blocked')).code).toBe(10);
});
