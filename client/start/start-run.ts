import { mkdir, rmdir } from 'node:fs/promises';
import { WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import { ralphError } from '../../schemas/errors/index.ts';
import { WORKFLOW_TYPE, type LoopInput } from '../../schemas/loop/loop-input.ts';
import type { LoopState } from '../../schemas/loop/state.ts';
import { MEMO_KEY, memoOf } from '../../schemas/loop/memo.ts';
import { objectiveTitle, type RunRequest } from '../../schemas/run/run.ts';
import { noControls } from '../../schemas/loop/control.ts';
import { runPaths } from '../../workspaces/records/run-paths.ts';
import type { TemporalLink } from '../connect/connect.ts';
import type { Deployment } from '../connect/deployment.ts';

/** Start a run in Temporal, where its loop begins with `state`. It goes on without us. Throws RalphError `run-id-in-use`. */
export async function startRun(
  link: TemporalLink,
  deployment: Deployment,
  { request, state }: { request: RunRequest; state: LoopState },
): Promise<void> {
  const { heartbeatTimeoutMs, continueAfterRounds } = deployment.settings;
  const input: LoopInput = { request, settings: { heartbeatTimeoutMs, continueAfterRounds }, state, carried: null };
  // From its folder `list` knows that there is a run to ask Temporal about, before it has any files.
  const { root } = runPaths(deployment.ralphHome, request.runId);
  const isNew = (await mkdir(root, { recursive: true, mode: 0o700 })) !== undefined;
  try {
    await link.client.workflow.start(WORKFLOW_TYPE, {
      workflowId: request.runId,
      taskQueue: link.workflowsQueue,
      args: [input],
      memo: {
        [MEMO_KEY]: memoOf({ request, state, controls: noControls, controlsTaken: 0, doing: { status: 'starting' } }),
      },
      staticSummary: objectiveTitle(request.objective),
      workflowIdConflictPolicy: 'FAIL',
      workflowIdReusePolicy: 'REJECT_DUPLICATE',
    });
  } catch (error) {
    // If it is there still, a worker has put files into it.
    if (isNew) await rmdir(root).catch(() => undefined);
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
    throw ralphError('run-id-in-use', { runId: request.runId }, { cause: error });
  }
}
