import { join } from 'node:path';
import { ralphError } from '../../schemas/errors/index.ts';
import { predecessors } from '../../workspaces/records/runs.ts';
import { lastCheckpoint } from '../../workspaces/round/engine-repository.ts';
import { exists } from '../../system/exists.ts';
import type { Deployment } from '../connect/deployment.ts';
import { diskRun } from '../view/disk-run.ts';
import { lastThatCounts } from './gone-on-from.ts';
import type { RestingRun } from '../control/resting-run.ts';
import { showRun } from '../view/show-run.ts';

/** Where a run's line stands by now, and why that is not at the run. */
export interface LineElsewhere {
  readonly runId: string;
  readonly why: string;
}

/**
 * Whether the line of a run has left it: a run before it was taken back behind where this one began, or is gone on from
 * by another. Null: it has not. Throws RalphError `rollback-half-done`.
 */
export async function leftBehind(deployment: Deployment, run: RestingRun): Promise<LineElsewhere | null> {
  let child = run.request;
  for await (const { runId: id, paths } of predecessors(run.paths, run.request)) {
    const before = await diskRun(deployment.ralphHome, id);
    if (before === null || before.request === null || child.predecessor === null) return null;
    if (before.unfinishedRollback !== null) {
      throw ralphError('rollback-half-done', { runId: id, round: before.unfinishedRollback.to });
    }
    const { successors } = await showRun(deployment, id);
    const others = successors.filter((each) => each !== child.runId);
    const other = await lastThatCounts(deployment, others);
    if (other !== null) return { runId: other, why: `${id} is gone on from by ${other}` };
    if ((await exists(join(paths.repository, 'HEAD'))) && (await lastCheckpoint(paths)) !== child.predecessor.commit) {
      return { runId: id, why: `${id}, which ${child.runId} goes on from, was rolled back since` };
    }
    child = before.request;
  }
  return null;
}
