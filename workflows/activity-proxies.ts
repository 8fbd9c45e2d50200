import { ActivityCancellationType, proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import type { ReleaseInput } from '../activities/release-workspace.ts';
import type { GateInput } from '../schemas/verification/gate-input.ts';
import type { LoopSettings } from '../schemas/loop/loop.ts';
import type { ReviewInput } from '../schemas/verification/review.ts';
import type { RoundInput } from '../schemas/round/round-input.ts';
import { isBaseline, type RunRequest } from '../schemas/run/run.ts';
import { claimName } from './inherited.ts';
import { roundsQueue, stepsQueue } from '../schemas/loop/task-queues.ts';

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
    prepare: (activityId: string) =>
      proxyActivities<Pick<Activities, 'prepareWorkspace'>>({ ...steps, activityId }).prepareWorkspace(request),
    release: (asked: Omit<ReleaseInput, 'request'>) =>
      proxyActivities<Pick<Activities, 'releaseWorkspace'>>({ ...steps, activityId: 'release' }).releaseWorkspace({
        request,
        ...asked,
      }),
    runRound: (input: RoundInput) =>
      proxyActivities<Pick<Activities, 'runRound'>>({
        ...rounds,
        activityId: `round-${input.round}-after-${input.afterAttempt}`,
        summary: `round ${input.round}`,
      }).runRound(input),
    runGates: (input: GateInput) =>
      proxyActivities<Pick<Activities, 'runGates'>>({
        ...rounds,
        startToCloseTimeout: limits.roundTimeoutMs + gatesMs + MARGIN_MS,
        activityId: `gates-${input.round}-after-${input.afterCheck}`,
        summary: isBaseline(request, input.round)
          ? 'gates before round 1'
          : `gates of ${claimName(request, input.round)}`,
      }).runGates(input),
    reviewClaim: (input: ReviewInput) =>
      proxyActivities<Pick<Activities, 'reviewClaim'>>({
        ...rounds,
        activityId: `review-${input.round}-after-${input.afterReview}`,
        summary: `review of ${claimName(request, input.round)}`,
      }).reviewClaim(input),
  };
}
export type RunActivities = ReturnType<typeof activitiesOf>;
