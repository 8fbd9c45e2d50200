import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { homePaths } from '../../host/home-paths.ts';
import { withLock } from '../../host/locks/with-lock.ts';
import { ralphError } from '../../schemas/errors/index.ts';
import { readRequest } from '../../workspaces/records/runs.ts';
import { runPaths } from '../../workspaces/records/run-paths.ts';

/**
 * Change a line of runs, alone: of all that resume a run of it, take one back or add to its budgets, one at a time, each
 * by what the one before it left. Throws RalphError `line-busy` where that takes too long.
 */
export async function withLine<Value>(ralphHome: string, runId: string, work: () => Promise<Value>): Promise<Value> {
  const request = await readRequest(runPaths(ralphHome, runId));
  const root = request === null || request.predecessor === null ? runId : request.predecessor.root;
  const { lines } = homePaths(ralphHome);
  await mkdir(lines, { recursive: true, mode: 0o700 });
  const held = await withLock(path.join(lines, `${root}.lock`), work);
  if (held === null) throw ralphError('line-busy', { runId });
  return held.done;
}
