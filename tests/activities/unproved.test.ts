import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { MockActivityEnvironment } from '@temporalio/testing';
import { createActivities } from '../../activities/index.ts';
import { outcomeOf } from '../../activities/round/run-round.ts';
import type { AgentRun } from '../../agents/run/run-agent.ts';
import { Redactor } from '../../redaction/redactor.ts';
import { Preparation } from '../../schemas/loop/preparation.ts';
import { Released } from '../../schemas/run/result.ts';
import { FinishedReview } from '../../schemas/verification/review.ts';
import { FinishedAttempt } from '../../schemas/round/round.ts';
import type { RunRequest } from '../../schemas/run/run.ts';
import type { Sandbox } from '../../schemas/run/sandbox.ts';
import { beginRound } from '../../workspaces/round/begin-round.ts';
import { lastCheckpoint } from '../../workspaces/repository/engine-repository.ts';
import { attemptPaths, reviewPaths } from '../../workspaces/records/run-paths.ts';
import { receipt } from '../cli/support/recorded-run.ts';
import { beganElsewhere } from '../support/began-elsewhere.ts';
import { pendingOf, stepInput } from '../support/step-input.ts';
import { goOn } from '../support/scripted-agent.ts';
import { removeTemporaryFolders, shell, startRun, userGit, userRepository } from '../workspaces/user-repository.ts';
import type { TestRun } from '../workspaces/user-repository.ts';

afterAll(removeTemporaryFolders);

const unprovedFault = { code: 'disposal-unproved' };

const confirmed = () => Promise.resolve('cancelled' as const);

const activitiesOf = ({ paths }: TestRun) =>
  createActivities({ ralphHome: paths.ralphHome, workerEnv: process.env, redactor: new Redactor() });

/** A run with a round, and its request with an agent that would leave a trace. */
async function started(): Promise<{ run: TestRun; request: RunRequest; canary: string }> {
  const run = await startRun(userRepository({ 'a.txt': 'a\n' }));
  await run.round('true');
  const canary = join(run.paths.root, 'canary');
  const agent = { provider: 'command', command: `touch ${canary}`, model: null } as const;
  const sandbox: Sandbox = { level: 'full-access', network: true, readable: [] };
  const request = { ...run.request, agent, reviewer: agent, sandbox, setup: agent.command };
  return { run, request, canary };
}

test('no agent starts beside an attempt that may still run, and it is not written off', async () => {
  const { run, request, canary } = await started();
  const lost = attemptPaths(run.paths, 2, 1);
  beganElsewhere(lost);
  const input = stepInput(request, { rounds: 1 });
  const attempt = FinishedAttempt.parse(await new MockActivityEnvironment().run(activitiesOf(run).runRound, input));
  expect(attempt).toMatchObject({ kind: 'failed', fault: unprovedFault, checkpoint: null });
  expect([lost.outcome, attemptPaths(run.paths, 2, 2).root, canary].filter((file) => existsSync(file))).toEqual([]);
  const given = { ...input, ending: { status: 'cancelled', reason: null } } as const;
  const released = Released.parse(await new MockActivityEnvironment().run(activitiesOf(run).releaseWorkspace, given));
  expect(released).toMatchObject({ receipt: { proof: 'unproved' } });
});

test('no setup starts beside one that may still run', async () => {
  const { run, request, canary } = await started();
  beganElsewhere(attemptPaths(run.paths, 0, 1));
  const input = stepInput(request, { prepared: false });
  const prepared = Preparation.parse(
    await new MockActivityEnvironment().run(activitiesOf(run).prepareWorkspace, input),
  );
  expect(prepared).toMatchObject({ kind: 'failed', fault: unprovedFault });
  expect([attemptPaths(run.paths, 0, 2).root, canary].filter((file) => existsSync(file))).toEqual([]);
});

test('no reviewer starts beside a review that may still run', async () => {
  const { run, request, canary } = await started();
  beganElsewhere(reviewPaths(run.paths, 1, 1));
  const commit = await lastCheckpoint(run.paths);
  const input = stepInput(request, { rounds: 1, commit, pending: pendingOf(request.runId, 1) });
  const review = FinishedReview.parse(await new MockActivityEnvironment().run(activitiesOf(run).reviewClaim, input));
  expect(review).toMatchObject({ kind: 'failed', fault: unprovedFault });
  expect([reviewPaths(run.paths, 1, 2).root, canary].filter((file) => existsSync(file))).toEqual([]);
});

test.each([
  ['exited', { kind: 'failed', fault: unprovedFault }],
  ['aborted', { kind: 'interrupted', by: 'cancelled' }],
] as const)(
  'a report beside processes that may still run counts for nothing, and their work is not committed: %s',
  async (ended, outcome) => {
    const { run, request } = await started();
    await beginRound({ paths: run.paths, round: 2, attempt: 1 });
    shell(run.paths.tree, 'echo half > half.txt');
    const before = await lastCheckpoint(run.paths);
    const left = [{ pid: 7, command: 'sleep', why: 'it could not be killed' }];
    const ran: AgentRun = {
      reading: { report: { kind: 'candidate', value: goOn('did it') }, finalText: null },
      use: { usage: null, costUsd: null, costEstimated: false },
      version: null,
      exit: { code: 0, signal: null },
      receipt: { ...receipt, mechanism: 'subreaper', proof: 'unproved', left, commit: null },
      agentMs: 5,
      ended,
      notes: [],
    };
    const at = { round: 2, attempt: 1, startedAt: receipt.at, agent: 'command' };
    const asked = { redactor: new Redactor(), run: run.paths, request, ...at, confirmed, ran };
    expect(await outcomeOf(asked)).toMatchObject({ ...outcome, checkpoint: null, receipt: { left, commit: null } });
    expect(await lastCheckpoint(run.paths)).toBe(before);
    expect(existsSync(attemptPaths(run.paths, 2, 1).reading)).toBe(false);
    const { path, commit } = request.repository;
    expect(userGit(path, 'rev-parse', 'ralph/mend')).toBe(commit);
  },
);
