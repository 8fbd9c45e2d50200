import { ActivityCancellationType, proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import type { LoopSettings } from '../schemas/loop.ts';
import type { RunRequest } from '../schemas/run.ts';
import { roundsQueue, stepsQueue } from '../schemas/task-queues.ts';

/** Setup and agent have the round's timeout; checkout, disposal and checkpoint are bounded on their own. The last resort. */
const MARGIN_MS = 30 * 60_000;

/** Lost and stopped workers are retried for as long as it takes: the run waits for its machine. */
const retry = { initialInterval: 1_000, backoffCoefficient: 2, maximumInterval: 30_000 };

/** The activities of a run, on the queues of the machine that holds its workspace. */
export function activitiesOf({ hostId, limits }: RunRequest, { heartbeatTimeoutMs }: LoopSettings) {
  const common = {
    heartbeatTimeout: heartbeatTimeoutMs,
    startToCloseTimeout: limits.roundTimeoutMs + MARGIN_MS,
    cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
    retry,
  };
  return {
    steps: proxyActivities<Pick<Activities, 'prepareWorkspace' | 'releaseWorkspace'>>({
      ...common,
      taskQueue: stepsQueue(hostId),
    }),
    /** @param summary what Temporal's own page calls the round */
    rounds: (summary: string) =>
      proxyActivities<Pick<Activities, 'runRound'>>({
        ...common,
        taskQueue: roundsQueue(hostId),
        summary,
      }),
  };
}
export type RunActivities = ReturnType<typeof activitiesOf>;
