import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { lastCheckpoint } from '../../workspaces/round/engine-repository.ts';
import { runPaths } from '../../workspaces/records/run-paths.ts';
import { diskRun } from './disk-run.ts';

/**
 * Whether a run ended before its first round and the run before it was taken back since: nothing can go on from it, and
 * it is in nobody's way.
 */
export async function isStale(ralphHome: string, runId: string): Promise<boolean> {
  const run = await diskRun(ralphHome, runId);
  if (run === null || run.request === null || run.ending === null || run.ending.ending.status === 'complete')
    return false;
  const { predecessor } = run.request;
  if (predecessor === null || run.attempts.length > 0 || run.unfinishedRollback !== null) return false;
  const before = runPaths(ralphHome, predecessor.runId);
  return existsSync(join(before.repository, 'HEAD')) && (await lastCheckpoint(before)) !== predecessor.commit;
}
