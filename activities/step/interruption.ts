import type { Context } from '@temporalio/activity';
import type { Interruption } from '../../schemas/round/fault.ts';
import type { DisposalCause } from '../../schemas/round/receipt.ts';

/** Why Temporal takes an attempt back. A worker's shutdown is never a user's cancel. */
export function interruptionOf(context: Context): Interruption {
  const details = context.cancellationDetails;
  if (details?.cancelRequested === true) return 'cancelled';
  if (details?.notFound === true || details?.timedOut === true) return 'disowned';
  return 'worker-stopped';
}

const ASK_MS = 2_000;

/**
 * The same, confirmed by Temporal: to a worker, a cancel, a pause and (from a server that pushes) a termination look the
 * same. If Temporal does not answer in time, what the worker heard stands.
 */
export async function confirmedInterruption(context: Context): Promise<Interruption> {
  const heard = interruptionOf(context);
  const execution = context.info.workflowExecution;
  if (heard !== 'cancelled' || execution === undefined) return heard;
  const { client } = context;
  const ask = async (): Promise<Interruption> => {
    const { status, raw } = await client.workflow.getHandle(execution.workflowId, execution.runId).describe();
    if (status.name === 'TERMINATED') return 'disowned';
    const info = raw.workflowExtendedInfo;
    // A server that does not tell this knows no pause from a cancel.
    if (info === null || info === undefined || typeof info.cancelRequested !== 'boolean') return heard;
    return info.cancelRequested ? 'cancelled' : 'paused';
  };
  return await client.withDeadline(Date.now() + ASK_MS, ask).catch(() => heard);
}

const causes = {
  cancelled: 'cancelled',
  paused: 'paused',
  disowned: 'terminated',
  'worker-stopped': 'worker-shutdown',
  'worker-lost': 'worker-lost',
  unrecorded: 'fault',
} as const satisfies Record<Interruption, DisposalCause>;

/** The same, as a receipt calls it. */
export const disposalCause = (by: Interruption): DisposalCause => causes[by];

/** The same, as a checkpoint calls it. */
export function interruptedInWords(by: Interruption): { status: 'cancelled' | 'interrupted'; summary: string } {
  return { status: by === 'cancelled' ? 'cancelled' : 'interrupted', summary: `interrupted: ${by}` };
}
