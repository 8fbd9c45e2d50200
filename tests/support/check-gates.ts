import { MockActivityEnvironment } from '@temporalio/testing';
import { createActivities } from '../../activities/index.ts';
import { Redactor } from '../../redaction/redactor.ts';
import type { LoopState } from '../../schemas/loop/state.ts';
import { CheckProgress } from '../../schemas/round/round-progress.ts';
import { strictGates, type GatePolicy } from '../../schemas/verification/gate.ts';
import { GatesResult } from '../../schemas/verification/lost-checks.ts';
import type { RunRequest } from '../../schemas/run/run.ts';
import { pendingOf, stepInput } from './step-input.ts';
import type { TestRun } from '../workspaces/user-repository.ts';

interface Asked {
  readonly gates: readonly string[];
  readonly setup?: string;
  readonly policy?: Partial<GatePolicy>;
  /** The round whose completion claim is checked; 0: the baseline. */
  readonly round?: number;
  readonly afterCheck?: number;
  readonly commit?: string;
  readonly baseline?: LoopState['baseline'];
  /** Whose claim is checked; without: of a round of this run. */
  readonly pending?: LoopState['pending'];
  /** Cancel it with its first heartbeat. */
  readonly cancelled?: boolean;
}

/** One run of the gates, by the activity itself. */
export async function checkGates(run: TestRun, asked: Asked) {
  const { gates, setup, policy, round = 1, afterCheck = 0, baseline = null } = asked;
  const request: RunRequest = {
    ...run.request,
    setup: setup ?? null,
    gatePolicy: { ...strictGates, ...policy },
    gates: gates.map((command) => ({ command, timeoutMs: 20_000 })),
  };
  const redactor = new Redactor();
  redactor.learn([{ name: 'A_KEY', value: 'correct-horse-battery' }]);
  const { ralphHome } = run.paths;
  const { runGates } = createActivities({ ralphHome, workerEnv: process.env, redactor });
  const environment = new MockActivityEnvironment();
  const beats: CheckProgress[] = [];
  environment.on('heartbeat', (beat) => beat !== null && beats.push(CheckProgress.parse(beat)));
  if (asked.cancelled === true) environment.once('heartbeat', () => environment.cancel());
  const input = stepInput(request, {
    rounds: round,
    commit: asked.commit ?? run.request.repository.commit,
    baseline,
    pending: asked.pending ?? (round === 0 ? null : pendingOf(request.runId, round)),
    checks: { round, afterCheck, afterReview: 0 },
  });
  const result = GatesResult.parse(await environment.run(runGates, input));
  if (result.kind === 'lost') throw new Error(`lost: ${result.checks.map(({ check }) => check).join(', ')}`);
  return { done: result, beats };
}
