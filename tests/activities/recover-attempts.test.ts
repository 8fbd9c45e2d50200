import { existsSync } from 'node:fs';
import { recover } from '../../activities/recover.ts';
import { Redactor } from '../../redaction/redactor.ts';
import type { FinishedAttempt } from '../../schemas/round/round.ts';
import { finishedAttempt, readOutcome, type KnownAttempts } from '../../workspaces/records/attempts.ts';
import { openStep } from '../../workspaces/records/steps.ts';
import { beginRound } from '../../workspaces/round/begin-round.ts';
import { writeJsonAtomically } from '../../workspaces/records/json-file.ts';
import { attemptPaths } from '../../workspaces/records/run-paths.ts';
import { goOn } from '../support/scripted-agent.ts';
import {
  removeTemporaryFolders,
  shell,
  startRun,
  userGit,
  userRepository,
  type TestRun,
  commitWork,
} from '../workspaces/user-repository.ts';
import { plainReceipt } from '../support/records.ts';

afterAll(removeTemporaryFolders);

const at = '2026-01-02T03:04:05.000Z';
const report = goOn('Did it.', ['More.']);
const ended: Omit<Extract<FinishedAttempt, { kind: 'failed' }>, 'kind' | 'fault'> = {
  round: 1,
  attempt: 1,
  startedAt: at,
  endedAt: '2026-01-02T03:05:05.000Z',
  agentMs: 59_000,
  usage: null,
  costUsd: 0.5,
  costEstimated: false,
  agent: null,
  agentVersion: null,
  sandbox: { level: 'workspace-write', network: true, readable: [], mechanism: 'bubblewrap' },
  checkpoint: null,
  receipt: plainReceipt({ killed: [{ pid: 7, command: 'sleep' }], ms: 12 }),
};

/** An attempt whose agent has ended, as a killed worker leaves it; `attempt`: what was written down of it. */
async function leftOver(attempt: FinishedAttempt | null): Promise<TestRun> {
  const run = await startRun(userRepository({ 'a.txt': 'one\n' }));
  const paths = openStep(attemptPaths(run.paths, 1, 1));
  await beginRound({ paths: run.paths, round: 1, attempt: 1 });
  shell(run.paths.tree, 'echo work > work.txt');
  if (attempt !== null) await writeJsonAtomically(paths.reading, { attempt, notes: ['Known before.'] });
  return run;
}

const recovered = ({ paths, request }: TestRun, known: KnownAttempts | null = null) => {
  const attempts = { by: 'worker-lost', known, mustSave: true } as const;
  return recover({ redactor: new Redactor(), run: paths, request, attempts });
};

const reported: FinishedAttempt = { ...ended, kind: 'reported', report, finalText: null };

test('an attempt whose report was read is completed from the record: the round is not paid for again', async () => {
  const run = await leftOver(reported);
  const { receipts } = await recovered(run);
  const finished = await finishedAttempt(run.paths, { round: 1, afterAttempt: 0 });
  expect(finished).toMatchObject({
    ...ended,
    kind: 'reported',
    report,
    checkpoint: { changes: { files: 1 }, notes: ['Known before.'] },
    receipt: { ...ended.receipt, commit: finished?.checkpoint?.commit },
  });
  expect(receipts).toEqual([finished?.receipt]);
  expect(userGit(run.request.repository.path, 'log', '-1', '--format=%s', 'ralph/mend')).toBe(
    'Round 1 of mend: Did it.',
  );
  expect(existsSync(attemptPaths(run.paths, 1, 1).reading)).toBe(false);
});

test('a kill after the checkpoint was made makes no second one', async () => {
  const run = await leftOver(reported);
  const { paths, request } = run;
  const made = await commitWork({ paths, request, round: 1, attempt: 1, status: 'continue', summary: 'Did it.' });
  await recovered(run);
  expect((await readOutcome(paths, 1, 1))?.checkpoint?.commit).toBe(made.commit);
});

test('what an attempt failed of is kept in the same way', async () => {
  const fault = { code: 'usage-limited', message: 'Come back later.', resetAt: at } as const;
  const run = await leftOver({ ...ended, kind: 'failed', fault });
  await recovered(run);
  expect(await finishedAttempt(run.paths, { round: 1, afterAttempt: 0 })).toMatchObject({
    kind: 'failed',
    fault,
    checkpoint: { base: expect.anything() },
  });
});

test('an attempt without such a record was lost', async () => {
  const run = await leftOver(null);
  await recovered(run);
  expect(await readOutcome(run.paths, 1, 1)).toMatchObject({ kind: 'interrupted', by: 'worker-lost' });
});

test('an attempt that the loop knows of already is only not recorded, whatever was read of it', async () => {
  const run = await leftOver(reported);
  await recovered(run, { round: 1, afterAttempt: 1 });
  expect(await readOutcome(run.paths, 1, 1)).toMatchObject({ kind: 'interrupted', by: 'unrecorded' });
});
