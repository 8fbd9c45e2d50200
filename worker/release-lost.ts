import { setTimeout as delay } from 'node:timers/promises';
import { msToTs } from '@temporalio/common/lib/time.js';
import type { NativeConnection } from '@temporalio/worker';
import { messageOf } from '../system/error-code.ts';
import type { WorkerLogger } from './logger.ts';
import { WORKFLOW_TYPE } from '../schemas/loop/loop-input.ts';

/** Of `PendingActivityState`. */
const STARTED = 2;
const CANCEL_REQUESTED = 3;
/** Temporal's own delay grows with every attempt, and nothing is gained by it here. */
const AT_ONCE = msToTs(1);

const HEAR_MS = 5_000;
const POLL_MS = 30;

/** Who a worker is to Temporal: the machine, and which process on it. */
export const workerIdentity = (hostId: string): string => `${ours(hostId)}${process.pid}`;
const ours = (hostId: string): string => `ralph-host-${hostId}@`;

/**
 * Tell Temporal at once that the steps which earlier workers of this machine left under way are lost, as it would find
 * out by itself when their heartbeats stay away. Only for a worker that has begun nothing yet: there is one worker per
 * RALPH_HOME, so whoever began those steps is dead. What goes wrong here costs the heartbeat timeout and nothing else.
 * @returns ids of the runs that were cancelled meanwhile, which may not know it yet
 */
export async function releaseLost(how: {
  connection: NativeConnection;
  namespace: string;
  workflowsQueue: string;
  hostId: string;
  logger: WorkerLogger;
}): Promise<string[]> {
  const { connection, namespace, workflowsQueue, logger } = how;
  const cancelled: string[] = [];
  const query = `WorkflowType = '${WORKFLOW_TYPE}' AND TaskQueue = '${workflowsQueue}' AND ExecutionStatus = 'Running'`;
  try {
    let nextPageToken: Uint8Array | null = null;
    do {
      const page: Awaited<ReturnType<typeof connection.workflowService.listWorkflowExecutions>> =
        await connection.workflowService.listWorkflowExecutions({ namespace, query, nextPageToken });
      for (const { execution } of page.executions) {
        if (typeof execution?.workflowId !== 'string') continue;
        if (await releaseLostOf(execution.workflowId, how)) cancelled.push(execution.workflowId);
      }
      nextPageToken = page.nextPageToken;
    } while (nextPageToken.length > 0);
  } catch (error) {
    logger.warn(`lost steps are left to their heartbeat timeout: ${messageOf(error)}`);
  }
  return cancelled;
}

/** @returns whether the run is being cancelled */
async function releaseLostOf(
  workflowId: string,
  { connection, namespace, hostId, logger }: Parameters<typeof releaseLost>[0],
): Promise<boolean> {
  const { workflowService } = connection;
  const { pendingActivities, workflowExtendedInfo } = await workflowService.describeWorkflowExecution({
    namespace,
    execution: { workflowId },
  });
  for (const { activityId, activityType, lastWorkerIdentity, ...pending } of pendingActivities) {
    const state = Number(pending.state);
    if (typeof activityId !== 'string' || lastWorkerIdentity?.startsWith(ours(hostId)) !== true) continue;
    const step = { namespace, workflowId, activityId, identity: workerIdentity(hostId) };
    if (state === CANCEL_REQUESTED) await workflowService.respondActivityTaskCanceledById(step);
    else if (state === STARTED) {
      await workflowService.respondActivityTaskFailedById({
        ...step,
        failure: {
          message: `the worker ${lastWorkerIdentity} was lost`,
          source: 'durable-ralph',
          applicationFailureInfo: { type: 'worker-lost', nextRetryDelay: AT_ONCE },
        },
      });
    } else continue;
    logger.info({ workflowId, step: activityType?.name }, 'told Temporal that the step was lost');
  }
  return workflowExtendedInfo?.cancelRequested === true;
}

/** Wait until workflow code has taken note of what came for these runs; bounded. Its worker must be running. */
export async function untilHeard(
  workflowIds: readonly string[],
  { connection, namespace, logger }: Pick<Parameters<typeof releaseLost>[0], 'connection' | 'namespace' | 'logger'>,
): Promise<void> {
  const deadline = Date.now() + HEAR_MS;
  for (const workflowId of workflowIds) {
    try {
      while (await hasNews(workflowId)) {
        if (Date.now() > deadline) throw new Error(`not within ${HEAR_MS / 1000} s`);
        await delay(POLL_MS);
      }
    } catch (error) {
      logger.warn({ workflowId }, `it may not know yet that it is cancelled: ${messageOf(error)}`);
    }
  }

  async function hasNews(workflowId: string): Promise<boolean> {
    const execution = { workflowId };
    const { pendingWorkflowTask } = await connection.workflowService.describeWorkflowExecution({
      namespace,
      execution,
    });
    return pendingWorkflowTask !== null && pendingWorkflowTask !== undefined;
  }
}
