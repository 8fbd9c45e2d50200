import { join } from 'node:path';
import { ralphError } from '../schemas/errors/index.ts';
import { predecessors } from '../workspaces/predecessors.ts';
import { lastCheckpoint } from '../workspaces/engine-repository.ts';
import { exists } from '../system/exists.ts';
import type { Deployment } from './deployment.ts';
import { diskRun } from './disk-run.ts';
import { lastThatCounts } from './gone-on-from.ts';
import type { RestingRun } from './resting-run.ts';
import { showRun } from './show-run.ts';

/**
 * Refuse to go on from a run that its line has left: a run before it was taken back behind where this one began, or is
 * gone on from by another. Throws RalphError `run-left-behind`, `rollback-half-done`.
 */
export async function refuseLeftBehind(deployment: Deployment, run: RestingRun): Promise<void> {
  const { runId } = run;
  let child = run.request;
  for await (const { runId: id, paths } of predecessors(run.paths, run.request)) {
    const before = await diskRun(deployment.ralphHome, id);
    if (before === null || before.request === null || child.predecessor === null) return;
    if (before.unfinishedRollback !== null) {
      throw ralphError('rollback-half-done', { runId: id, round: before.unfinishedRollback.to });
    }
    const { successors } = await showRun(deployment, id);
    const others = successors.filter((each) => each !== child.runId);
    const other = await lastThatCounts(deployment, others);
    if (other !== null) {
      const why = `${id} is gone on from by ${other}`;
      throw ralphError('run-left-behind', { runId, why, wayOut: `\`ralph resume ${other}\`` });
    }
    if ((await exists(join(paths.repository, 'HEAD'))) && (await lastCheckpoint(paths)) !== child.predecessor.commit) {
      const why = `${id}, which ${child.runId} goes on from, was rolled back since`;
      throw ralphError('run-left-behind', { runId, why, wayOut: `\`ralph resume ${id}\`` });
    }
    child = before.request;
  }
}
