import { ralphError } from '../../schemas/errors/index.ts';
import type { Deployment } from '../connect/deployment.ts';
import { lastViewThatCounts } from './gone-on-from.ts';
import { isLive } from '../view/run-status.ts';
import type { RunView } from '../view/run-view.ts';
import { wayOutOf } from './way-on.ts';

/** Refuse to start a second run that goes on from this one. One that was rolled back to its beginning does not count. */
export async function refuseResumed(deployment: Deployment, { runId, successors }: RunView): Promise<void> {
  const last = await lastViewThatCounts(deployment, successors);
  if (last === null) return;
  const { runId: successor, status } = last;
  const wayOut = isLive(status)
    ? `Follow it: \`ralph watch ${successor}\`.`
    : `Go on from that one: ${await wayOutOf(deployment, successor)}.`;
  throw ralphError('run-resumed', { runId, successor, wayOut });
}
