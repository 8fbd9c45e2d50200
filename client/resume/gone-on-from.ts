import { RalphError, ralphError } from '../../schemas/errors/index.ts';
import type { Deployment } from '../connect/deployment.ts';
import { type DiskRun, diskRun } from '../view/disk-run.ts';
import { isStale } from '../view/is-stale.ts';
import { isLive } from '../view/run-status.ts';
import type { RunView } from '../view/run-view.ts';
import { showRun } from '../view/show-run.ts';
import { successorsOnDisk } from './successors.ts';

/** A completion without a round of its own accepted the work of the run before it. */
const isAccepted = ({ status, rollback }: RunView): boolean => status === 'complete' && rollback === null;
const hasWork = (view: RunView): boolean =>
  !hasEnded(view) || view.rounds.length > 0 || isHalfBack(view) || isAccepted(view);

/** Refuse to take a run back that others went on from: their work comes after all of its. */
export async function refuseGoneOn(deployment: Deployment, { runId, successors }: RunView): Promise<void> {
  const successor = await firstOf(deployment, successors, (view) => Promise.resolve(hasWork(view)));
  if (successor === null) return;
  const { runId: id } = successor;
  const first = hasEnded(successor) ? `Take that one back first: ` : `End it and take it back first: `;
  throw ralphError('run-resumed', { runId, successor: id, wayOut: `${first}\`ralph rollback ${id} --to 0\`.` });
}

/** The last of these runs, and of those after them, that was not rolled back to its beginning, nor is stale; null: there is none. */
export async function lastThatCounts(deployment: Deployment, runIds: readonly string[]): Promise<string | null> {
  const last = await lastViewThatCounts(deployment, runIds);
  return last === null ? null : last.runId;
}

export const lastViewThatCounts = (deployment: Deployment, runIds: readonly string[]): Promise<RunView | null> =>
  firstOf(
    deployment,
    runIds,
    async (view) => !isAtBeginning(view) && !(await isStale(deployment.ralphHome, view.runId)),
  );

/** The runs after this one, all rolled back to their beginning: what they used was used all the same. */
export async function givenUp(ralphHome: string, successors: readonly string[]): Promise<DiskRun[]> {
  const runs: DiskRun[] = [];
  for (const runId of successors) {
    const run = await diskRun(ralphHome, runId);
    if (run !== null) runs.push(run, ...(await givenUp(ralphHome, await successorsOnDisk(ralphHome, runId))));
  }
  return runs;
}

/** It is to be made whole first: what is left of that would move the branch again. */
const isHalfBack = ({ unfinishedRollback }: RunView): boolean => unfinishedRollback !== null;
const isAtBeginning = (view: RunView): boolean => view.rollback?.to === 0 && !isHalfBack(view);
const hasEnded = ({ status }: RunView): boolean => status !== 'unknown' && !isLive(status);

/** The first run in the line after these that counts; the latest of each branch first. */
async function firstOf(
  deployment: Deployment,
  successors: readonly string[],
  counts: (view: RunView) => Promise<boolean>,
): Promise<RunView | null> {
  for (const runId of successors) {
    const view = await viewOf(deployment, runId);
    if (view === null) continue;
    const later = await firstOf(deployment, view.successors, counts);
    if (later !== null) return later;
    if (await counts(view)) return view;
  }
  return null;
}

async function viewOf(deployment: Deployment, runId: string): Promise<RunView | null> {
  try {
    return await showRun(deployment, runId);
  } catch (error) {
    if (error instanceof RalphError && error.code === 'no-such-run') return null;
    throw error;
  }
}
