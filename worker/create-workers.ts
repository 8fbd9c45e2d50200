import type { DataConverter } from '@temporalio/common';
import { Worker, type NativeConnection, type WorkerOptions } from '@temporalio/worker';
import type { Activities } from '../activities/index.ts';
import { roundsQueue, stepsQueue } from '../schemas/loop/task-queues.ts';
import { workerIdentity } from './release-lost.ts';

/** A run's next step goes to the process that has the run in memory; where that one was killed, to any after this. */
const MISSED_AFTER = '1s';

export type Workers = [workflows: Worker, steps: Worker, rounds: Worker];

/** The three workers of one process: workflows, short steps and rounds, each with slots of its own. */
export async function createWorkers({
  connection,
  namespace,
  workflowsQueue,
  workflowBundle,
  hostId,
  roundSlots,
  stepSlots,
  cachedWorkflows,
  activities,
  dataConverter,
}: {
  connection: NativeConnection;
  namespace: string;
  workflowsQueue: string;
  /** The bundle's code, or where it is. */
  workflowBundle: NonNullable<WorkerOptions['workflowBundle']>;
  hostId: string;
  /** Rounds at once on this machine, and checks of their claims. */
  roundSlots: number;
  /** Short steps at once: preparations, releases. */
  stepSlots: number;
  /** Runs kept in memory. */
  cachedWorkflows: number;
  activities: Activities;
  dataConverter: DataConverter;
}): Promise<Workers> {
  const common = { connection, namespace, dataConverter, identity: workerIdentity(hostId) };
  // A cancel reaches an agent with the next heartbeat that is really sent; the server's push, where it has one, is faster.
  const activityWorker = {
    ...common,
    maxHeartbeatThrottleInterval: '1s',
    defaultHeartbeatThrottleInterval: '1s',
  } as const;
  const { runRound, runGates, reviewClaim, ...steps } = activities;
  return Promise.all([
    Worker.create({
      ...common,
      taskQueue: workflowsQueue,
      workflowBundle,
      maxCachedWorkflows: cachedWorkflows,
      stickyQueueScheduleToStartTimeout: MISSED_AFTER,
    }),
    Worker.create({
      ...activityWorker,
      taskQueue: stepsQueue(hostId),
      activities: steps,
      maxConcurrentActivityTaskExecutions: stepSlots,
    }),
    Worker.create({
      ...activityWorker,
      taskQueue: roundsQueue(hostId),
      activities: { runRound, runGates, reviewClaim },
      maxConcurrentActivityTaskExecutions: roundSlots,
    }),
  ]);
}
