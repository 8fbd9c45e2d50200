import type { NativeConnection } from '@temporalio/worker';
import { ralphError } from '../schemas/errors/index.ts';
import { WORKFLOW_TYPE } from '../schemas/loop/loop-input.ts';

/** How many runs the error names. */
const MOST_NAMED = 10;
const PAGE_SIZE = 1_000;

/**
 * Reject a start while runs of 0.1.0 are live: this version would leave them without a worker, and they would wait for
 * ever. Throws RalphError `old-runs-live`.
 */
export async function rejectOldRuns({
  connection,
  namespace,
  oldWorkflows,
}: {
  connection: NativeConnection;
  namespace: string;
  oldWorkflows: string;
}): Promise<void> {
  const query = `WorkflowType = '${WORKFLOW_TYPE}' AND TaskQueue = '${oldWorkflows}' AND ExecutionStatus = 'Running'`;
  const asked = { namespace, query, pageSize: PAGE_SIZE };
  const { executions } = await connection.workflowService.listWorkflowExecutions(asked);
  const runIds = executions.flatMap(({ execution }) => execution?.workflowId ?? []).toSorted();
  if (runIds.length === 0) return;
  throw ralphError('old-runs-live', {
    runIds: runIds.slice(0, MOST_NAMED),
    more: Math.max(0, runIds.length - MOST_NAMED),
  });
}
