import { MockActivityEnvironment } from '@temporalio/testing';
import { createActivities } from '../../activities/index.ts';
import { Redactor } from '../../redaction/redactor.ts';
import { FinishedAttempt } from '../../schemas/round/round.ts';
import { Released, type UnreleasedEnding } from '../../schemas/run/result.ts';
import type { RunRequest } from '../../schemas/run/run.ts';
import { readEnding } from '../../workspaces/records/runs.ts';
import { readFinalState, readRoundState, readState } from '../../workspaces/records/loop-state.ts';
import { reporting } from '../cli/support/agents.ts';
import { stepInput } from '../support/step-input.ts';
import { removeTemporaryFolders, startRun, userRepository, type TestRun } from '../workspaces/user-repository.ts';

afterAll(removeTemporaryFolders);

const cancelled: UnreleasedEnding = { status: 'cancelled', reason: 'enough' };

const activitiesOf = ({ paths }: TestRun) =>
  createActivities({ ralphHome: paths.ralphHome, workerEnv: process.env, redactor: new Redactor() });

/** A run whose agent reports this, and what its loop knows of it: nothing yet. */
async function started(report: Parameters<typeof reporting>[0]) {
  const run = await startRun(userRepository({ 'a.txt': 'a\n' }));
  const request: RunRequest = {
    ...run.request,
    agent: { provider: 'command', command: `echo b > b.txt; ${reporting(report)}`, model: null },
    sandbox: { level: 'full-access', network: true, readable: [] },
  };
  return { run, asked: stepInput(request) };
}

const attempt = async (run: TestRun, asked: ReturnType<typeof stepInput>): Promise<FinishedAttempt> =>
  FinishedAttempt.parse(await new MockActivityEnvironment().run(activitiesOf(run).runRound, asked));
const release = async (run: TestRun, asked: ReturnType<typeof stepInput>): Promise<Released> =>
  Released.parse(
    await new MockActivityEnvironment().run(activitiesOf(run).releaseWorkspace, { ...asked, ending: cancelled }),
  );

test('a report that the loop never heard of is in the final state, counted once however often the release is tried', async () => {
  const { run, asked } = await started({ status: 'continue', summary: 'half' });
  const { checkpoint } = await attempt(run, asked);
  const { state } = await release(run, asked);
  expect(state).toMatchObject({ rounds: 1, handoff: { summary: 'half' }, commit: checkpoint?.commit, pending: null });
  expect(state?.spent.timeMs).toBeGreaterThan(0);
  expect(state?.spent.unreported).toEqual({ tokens: 1, costUsd: 1 });
  expect((await release(run, asked)).state).toEqual(state);
  expect(await readFinalState(run.paths)).toEqual(state);
  expect((await readEnding(run.paths))?.ending).toEqual(cancelled);
  expect(await readState(run.paths)).toEqual(asked.state);
  expect(await readRoundState(run.paths, 1)).toEqual(asked.state);
});

test('a completion claim that the loop never heard of is pending, though nothing would have checked it', async () => {
  const { run, asked } = await started({ status: 'complete', summary: 'all there' });
  await attempt(run, asked);
  expect((await release(run, asked)).state).toMatchObject({
    rounds: 1,
    pending: { runId: 'mend', round: 1, claim: { summary: 'all there' }, gates: null },
    handoffSource: 'unverified-claim',
  });
});

test('a run that never came to a round ends with the state that it began with', async () => {
  const { run, asked } = await started({ status: 'complete', summary: 'all there' });
  const beginning = { ...asked, state: { ...asked.state, prepared: false } };
  expect(await release(run, beginning)).toMatchObject({ receipt: null, state: beginning.state });
});

test('the first state of a round stays, whatever is asked for again', async () => {
  const { run, asked } = await started({ status: 'continue', summary: 'half' });
  await attempt(run, asked);
  const later = { ...asked, state: { ...asked.state, faults: { ...asked.state.faults, afterAttempt: 1 } } };
  await attempt(run, later);
  expect(await readRoundState(run.paths, 1)).toEqual(asked.state);
  expect(await readState(run.paths)).toEqual(later.state);
});
