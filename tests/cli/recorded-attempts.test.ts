import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { appendLedgerLine, readAttempts } from '../../workspaces/records/ledger.ts';
import { attemptPaths, runPaths } from '../../workspaces/records/run-paths.ts';
import { recordRun } from './support/recorded-run.ts';
import { here } from './support/here.ts';
import { type Scratch, scratch } from './support/ralph.ts';

let home: string;
let place: Scratch;

beforeAll(async () => {
  place = await scratch();
  ({ home } = place);
});
afterAll(() => place.remove());

test('an attempt that another agent made than the run’s own is marked with that agent', async () => {
  await recordRun({ home, runId: 'stand-in', rounds: 2, objective: 'o', summary: 's', transcript: '', ended: true });
  const paths = runPaths(home, 'stand-in');
  const [line] = await readAttempts(paths);
  if (line === undefined) throw new Error('no line');
  await appendLedgerLine(paths, { ...line, round: 1, agent: 'command' });
  await appendLedgerLine(paths, { ...line, round: 2, agent: 'codex (gpt-5)' });
  const { stdout } = await here(['show', 'stand-in'], { home });
  expect(stdout).toMatch(/^ +1 +continue .* {2}s$/m);
  expect(stdout).toMatch(/^ +2 +continue .* {2}\[codex \(gpt-5\)\] s$/m);
});

test('a run that the engine ended names its log and the next command, and every interruption is told in plain words', async () => {
  const runId = 'widgets-engine';
  await recordRun({ home, runId, rounds: 1, objective: 'o', summary: 's', transcript: '', ended: true });
  const paths = runPaths(home, runId);
  const [line] = await readAttempts(paths);
  if (line === undefined) throw new Error('no line');
  const interrupted = (round: number, outcome: string) => ({ ...line, round, attempt: 1, outcome, summary: '' });
  await appendLedgerLine(paths, interrupted(2, 'disowned'));
  await appendLedgerLine(paths, interrupted(3, 'unrecorded'));
  const fault = { code: 'engine-error', message: 'git broke', resetAt: null };
  const ending = { status: 'round-failed', round: 4, attempts: 1, fault, handoff: null };
  await writeFile(
    paths.ending,
    JSON.stringify({ ending, receipt: null, notes: ['not committed'], endedAt: line.endedAt }),
  );
  const outcome: unknown = JSON.parse(await readFile(attemptPaths(paths, 1, 1).outcome, 'utf8'));
  const last = attemptPaths(paths, 3, 1).outcome;
  await mkdir(path.dirname(last), { recursive: true });
  const published = {
    checkpoint: { commit: 'b', base: 'a', changes: line.changes, ref: `refs/heads/ralph/${runId}`, notes: [] },
  };
  await writeFile(last, JSON.stringify(Object.assign({}, outcome, { round: 3 }, published)));

  const { stdout } = await here(['watch', runId], { home });
  expect(stdout).toMatch(/^ +2 +disowned +/m);
  expect(stdout).toMatch(/^ +3 +unrecorded +/m);
  expect(stdout).toMatch(/failed in round 4 after 1 attempt: .*\n +engine-error: git broke/);
  expect(stdout).toMatch(/^Note +The engine failed, not the agent\. \/.*\/logs\/worker\.log has the details\.$/m);
  expect(stdout).toMatch(/^Note +not committed$/m);
  expect((await here(['show', runId], { home })).stdout).toMatch(/^Note +.*worker\.log has the details/m);
});
