/** Names of the task queues. A machine's queues carry its id: what needs the workspace's disk runs where the disk is. */
export const stepsQueue = (hostId: string): string => `ralph-host-${hostId}`;

/** Rounds have a queue of their own, so that long ones never hold up a preparation or a release. */
export const roundsQueue = (hostId: string): string => `ralph-host-${hostId}-rounds`;

/** One more for each change after which the histories of live runs no longer replay: another worker has to end those. */
const COMPATIBILITY = 2;

/** Workflows go to every worker of this compatibility that holds the same payload key; `keyId` is its fingerprint. */
export const workflowsQueue = (keyId: string): string => `ralph-${COMPATIBILITY}-${keyId}`;

/** The queue of 0.1.0, whose live runs this version cannot continue. */
export const oldWorkflowsQueue = (keyId: string): string => `ralph-${keyId}`;
