import { GateCheck } from '../../schemas/verification/gate.ts';
import { checksAt } from './check-folders.ts';
import { readJson } from './json-file.ts';
import { checkPaths, type RunPaths } from './run-paths.ts';

/**
 * A run of the gates on a commit that finished, and that the loop does not know yet as the worker was lost right then:
 * nothing is checked twice. Null: none.
 */
export async function finishedCheckSince(
  run: RunPaths,
  { round, after, commit }: { round: number; after: number; commit: string },
): Promise<GateCheck | null> {
  for (const check of await checksAt(run, round)) {
    if (check <= after) continue;
    const finished = await readJson(checkPaths(run, round, check).record, GateCheck);
    if (finished?.kind === 'checked' && finished.commit === commit) return finished;
  }
  return null;
}
