import { ActivityCancellationType, proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import type { LoopSettings } from '../schemas/loop/loop-input.ts';
import { countedChecks, isBaseline, type LoopState } from '../schemas/loop/state.ts';
import { roundsQueue, stepsQueue } from '../schemas/loop/task-queues.ts';
import type { UnreleasedEnding } from '../schemas/run/result.ts';
import type { RunRequest } from '../schemas/run/run.ts';

/** Setup and agent have the round's timeout; checkout, disposal and checkpoint are bounded on their own. The last resort. */
const MARGIN_MS = 30 * 60_000;

/** Lost and stopped workers are retried for as long as it takes: the run waits for its machine. */
const retry = { initialInterval: 1_000, backoffCoefficient: 2, maximumInterval: 30_000 };

/**
 * The activities of a run, on the queues of the machine that holds its workspace. Their ids name what is asked for, so
 * that a signed result of another round, or of an earlier attempt, does not fit.
 */
export function activitiesOf(request: RunRequest, { heartbeatTimeoutMs }: LoopSettings) {
  const { hostId, limits, gates } = request;
  const common = {
    heartbeatTimeout: heartbeatTimeoutMs,
    startToCloseTimeout: limits.roundTimeoutMs + MARGIN_MS,
    cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
    retry,
  };
  const steps = { ...common, taskQueue: stepsQueue(hostId) };
  const rounds = { ...common, taskQueue: roundsQueue(hostId) };
  const gatesMs = gates.reduce((total, { timeoutMs }) => total + timeoutMs, 0);
  return {
    prepare: (state: LoopState) =>
      proxyActivities<Pick<Activities, 'prepareWorkspace'>>({
        ...steps,
        activityId: `prepare-${state.faults.afterAttempt + 1}`,
      }).prepareWorkspace({ request, state }),
    runRound: (state: LoopState) =>
      proxyActivities<Pick<Activities, 'runRound'>>({
        ...rounds,
        activityId: `round-${state.rounds + 1}-after-${state.faults.afterAttempt}`,
        summary: `round ${state.rounds + 1}`,
      }).runRound({ request, state }),
    runGates: (state: LoopState) =>
      proxyActivities<Pick<Activities, 'runGates'>>({
        ...rounds,
        startToCloseTimeout: limits.roundTimeoutMs + gatesMs + MARGIN_MS,
        activityId: `gates-${state.rounds}-after-${countedChecks(state, state.rounds).afterCheck}`,
        summary: isBaseline(state) ? 'gates before round 1' : `gates of ${claimName(state)}`,
      }).runGates({ request, state }),
    reviewClaim: (state: LoopState) =>
      proxyActivities<Pick<Activities, 'reviewClaim'>>({
        ...rounds,
        activityId: `review-${state.rounds}-after-${countedChecks(state, state.rounds).afterReview}`,
        summary: `review of ${claimName(state)}`,
      }).reviewClaim({ request, state }),
    release: (state: LoopState, ending: UnreleasedEnding) =>
      proxyActivities<Pick<Activities, 'releaseWorkspace'>>({ ...steps, activityId: 'release' }).releaseWorkspace({
        request,
        state,
        ending,
      }),
  };
}
export type RunActivities = ReturnType<typeof activitiesOf>;

/** The completion claim that is checked: "round 3", "round 3 of the-run-before". */
const claimName = ({ rounds, pending }: LoopState): string =>
  rounds > 0 || pending === null ? `round ${rounds}` : `round ${pending.round} of ${pending.runId}`;
