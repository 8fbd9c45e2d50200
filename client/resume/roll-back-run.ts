import { ralphError } from '../../schemas/errors/index.ts';
import type { Rollback } from '../../schemas/run/rollback.ts';
import { keepLate } from '../../workspaces/rollback/roll-back.ts';
import { readRollbacks, rollBack } from '../../workspaces/rollback/roll-back.ts';
import type { Deployment } from '../connect/deployment.ts';
import { whenReached } from '../connect/reach.ts';
import { showRun } from '../view/show-run.ts';
import { chainOf, isDiscarded, withChain, type Chain } from './chain.ts';
import { endedRun } from './ended-run.ts';
import { requireState } from './read-state.ts';

/** Roll the last run of a chain back to a round's checkpoint; 0: to its beginning. Throws RalphError. */
export async function rollBackRun(deployment: Deployment, runId: string, to: number): Promise<Rollback> {
  const { ralphHome } = deployment;
  // A run that nobody knows gets no lock.
  await showRun(deployment, runId);
  return withChain(ralphHome, runId, async () => {
    const run = await endedRun(deployment, await showRun(deployment, runId), { done: 'rolled back' });
    const { answer } = await whenReached(deployment, (link) => chainOf(ralphHome, runId, link));
    const chain = answer ?? (await chainOf(ralphHome, runId, null));
    if (to === 0 && isDiscarded(chain, runId)) {
      // It is done already. What could not be kept in the user's repository may be kept there by now.
      await keepLate(run);
      const [last] = (await readRollbacks(run.paths)).slice(-1);
      if (last !== undefined) return last;
    }
    await rejectNotLast(deployment, chain, runId);
    await requireState(run, 'rolled back');
    return rollBack({ paths: run.paths, request: run.request, to });
  });
}

async function rejectNotLast(deployment: Deployment, chain: Chain, runId: string): Promise<void> {
  const { last } = chain;
  if (last === runId) return;
  if (isDiscarded(chain, runId)) {
    throw ralphError('run-rolled-back', { runId, last, wayOut: `Resume ${last} or roll that one back instead.` });
  }
  const { phase } = await showRun(deployment, last);
  const end = phase.kind === 'live' ? `End ${last} first (\`ralph cancel ${last}\`), then roll` : `First roll`;
  const wayOut = `To go back further: ${end} it back to its beginning with \`ralph rollback ${last} --to 0\`.`;
  throw ralphError('run-continued', { runId, last, wayOut });
}
