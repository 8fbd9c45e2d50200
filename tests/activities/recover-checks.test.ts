import { existsSync, mkdirSync } from 'node:fs';
import { MockActivityEnvironment } from '@temporalio/testing';
import { createActivities } from '../../activities/index.ts';
import { Redactor } from '../../redaction/redactor.ts';
import { Released } from '../../schemas/run/result.ts';
import { FinishedAttempt } from '../../schemas/round/round.ts';
import { readEnding } from '../../workspaces/records/runs.ts';
import { checkPaths, reviewPaths } from '../../workspaces/records/run-paths.ts';
import { beganElsewhere } from '../support/began-elsewhere.ts';
import { stepInput } from '../support/step-input.ts';
import { removeTemporaryFolders, startRun, userRepository, type TestRun } from '../workspaces/user-repository.ts';

afterAll(removeTemporaryFolders);

const activitiesOf = ({ paths }: TestRun) =>
  createActivities({ ralphHome: paths.ralphHome, workerEnv: process.env, redactor: new Redactor() });

const ending = { status: 'cancelled', reason: null } as const;

async function release(run: TestRun): Promise<Released> {
  const given = { ...stepInput(run.request, { rounds: 1 }), ending };
  return Released.parse(await new MockActivityEnvironment().run(activitiesOf(run).releaseWorkspace, given));
}

/** A run with a round, and what may be left of a gate or a review. */
async function started(): Promise<TestRun> {
  const run = await startRun(userRepository({ 'a.txt': 'a\n' }));
  await run.round('true');
  return run;
}

test.each([
  ['gate before round 1', (run: TestRun) => checkPaths(run.paths, 0, 1).step(2)],
  ['gate', (run: TestRun) => checkPaths(run.paths, 1, 3).step(1)],
  ['review', (run: TestRun) => reviewPaths(run.paths, 1, 1)],
])('a run does not claim to be disposed of while a %s may still run', async (_what, where) => {
  const run = await started();
  mkdirSync(checkPaths(run.paths, 1, 1).root, { recursive: true });
  beganElsewhere(where(run));
  expect(await release(run)).toMatchObject({ receipt: { proof: 'unproved', cause: 'worker-lost' } });
  expect(await readEnding(run.paths)).toMatchObject({ receipt: { proof: 'unproved' } });
  expect(existsSync(where(run).outcome)).toBe(false);
});

test('no agent starts beside a gate that may still run', async () => {
  const run = await started();
  beganElsewhere(checkPaths(run.paths, 1, 1).step(1));
  const input = stepInput(run.request, { rounds: 1 });
  const attempt = FinishedAttempt.parse(await new MockActivityEnvironment().run(activitiesOf(run).runRound, input));
  expect(attempt).toMatchObject({ kind: 'failed', fault: { code: 'disposal-unproved' }, checkpoint: null });
});

test('gates that were never started say nothing of how a run was disposed of', async () => {
  const run = await started();
  mkdirSync(checkPaths(run.paths, 1, 1).step(1).root, { recursive: true });
  expect(await release(run)).toMatchObject({ receipt: null });
  expect(existsSync(checkPaths(run.paths, 1, 1).step(1).fence)).toBe(true);
});
