import { releaseReserve, RESERVE_BYTES } from '../../host/reserve.ts';
import type { TemporalLink } from '../connect/connect.ts';
import { ensureServices } from '../connect/ensure-services.ts';
import type { RunView } from '../view/run-view.ts';
import { showRun } from '../view/show-run.ts';
import type { Asked } from './control-run.ts';
import { requestCancel } from './controls.ts';

/** `requested`: it ends by itself now; whoever asked closes the link. `ended`: it had ended before. */
export type Cancelled =
  | { readonly kind: 'requested'; readonly link: TemporalLink }
  | { readonly kind: 'ended'; readonly run: RunView; readonly text: string };

/** Ask a run to end, with a worker alive that ends it. Throws RalphError. */
export async function cancelRun(asked: Omit<Asked, 'done'> & { reason: string | null }): Promise<Cancelled> {
  const { deployment, runId, reason, onNote } = asked;
  const run = await showRun(deployment, runId);
  if (run.phase.kind === 'ended') {
    return { kind: 'ended', run, text: `${runId} has already ended; nothing was cancelled.` };
  }
  if (await releaseReserve(deployment.ralphHome)) {
    const mib = RESERVE_BYTES / 1024 ** 2;
    onNote(`The disk of ${deployment.ralphHome} is full. Released the ${mib} MiB that are kept for a cancel.`);
  }
  const link = await ensureServices(deployment, {
    worker: 'where-embedded',
    // A worker that starts now would attempt a lost round again before it heard of the cancel.
    first: (reached) => requestCancel(reached, runId, reason),
    onNote,
  });
  return { kind: 'requested', link };
}
