import { createHash } from 'node:crypto';
import { oldWorkflowsQueue, roundsQueue, stepsQueue, workflowsQueue } from '../schemas/loop/task-queues.ts';

/** All task queues of a RALPH_HOME. Workflows: a queue per payload key, so that only workers that can read a run get it. */
export function taskQueues({ key, hostId }: { key: Uint8Array; hostId: string }): {
  workflows: string;
  /** Where the runs of 0.1.0 are. */
  oldWorkflows: string;
  steps: string;
  rounds: string;
} {
  const keyId = createHash('sha256').update(key).digest('hex').slice(0, 12);
  return {
    workflows: workflowsQueue(keyId),
    oldWorkflows: oldWorkflowsQueue(keyId),
    steps: stepsQueue(hostId),
    rounds: roundsQueue(hostId),
  };
}
