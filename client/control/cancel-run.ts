import { WorkflowNotFoundError } from '@temporalio/client';
import { cancelReasonSignal } from '../../workflows/messages.ts';
import type { TemporalLink } from '../connect/connect.ts';

/** Ask for the end of a run, with the user's reason. Nothing is done where it has ended already. */
export async function requestCancel(link: TemporalLink, runId: string, reason: string | null): Promise<void> {
  const handle = link.client.workflow.getHandle(runId);
  try {
    if (reason !== null) await handle.signal(cancelReasonSignal, reason);
    await handle.cancel();
  } catch (error) {
    // Said of a workflow that has ended, too.
    if (!(error instanceof WorkflowNotFoundError)) throw error;
  }
}
