import { GateCheck } from '../schemas/gate.ts';
import { checksAt } from './check-folders.ts';
import { readJson } from './json-file.ts';
import { checkPaths, type RunPaths } from './run-paths.ts';

/**
 * A run of the gates that finished, and that the loop does not know yet as the worker was lost right then: nothing is
 * checked twice. Null: none.
 */
export async function finishedCheckSince(run: RunPaths, round: number, after: number): Promise<GateCheck | null> {
  for (const check of await checksAt(run, round)) {
    if (check <= after) continue;
    const finished = await readJson(checkPaths(run, round, check).record, GateCheck);
    if (finished !== null) return finished;
  }
  return null;
}
