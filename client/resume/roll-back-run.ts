import type { Rollback } from '../../schemas/run/rollback.ts';
import { rollBack } from '../../workspaces/rollback/roll-back.ts';
import type { Deployment } from '../connect/deployment.ts';
import { refuseGoneOn } from './gone-on-from.ts';
import { restingRun } from '../control/resting-run.ts';
import { showRun } from '../view/show-run.ts';
import { withLine } from './with-line.ts';

/** Take a run that has ended back to a round's checkpoint; 0: to where it began. Throws RalphError. */
export async function rollBackRun(deployment: Deployment, runId: string, to: number): Promise<Rollback> {
  // A run that nobody knows gets no lock.
  await showRun(deployment, runId);
  return withLine(deployment.ralphHome, runId, async () => {
    const view = await showRun(deployment, runId);
    const { paths, request } = await restingRun(deployment, view, { done: 'rolled back' });
    await refuseGoneOn(deployment, view);
    return rollBack({ paths, request, to });
  });
}
