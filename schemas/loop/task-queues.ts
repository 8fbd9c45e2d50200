/** Names of the task queues. A machine's queues carry its id: what needs the workspace's disk runs where the disk is. */
export const stepsQueue = (hostId: string): string => `ralph-host-${hostId}`;

/** Rounds have a queue of their own, so that long ones never hold up a preparation or a release. */
export const roundsQueue = (hostId: string): string => `ralph-host-${hostId}-rounds`;

/** Workflows go to every worker that holds the same payload key; `keyId` is that key's fingerprint. */
export const workflowsQueue = (keyId: string): string => `ralph-${keyId}`;
