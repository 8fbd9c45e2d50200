import { stat } from 'node:fs/promises';
import type { RunPaths } from '../../workspaces/records/run-paths.ts';
import { keptOutputs } from '../follow/kept-outputs.ts';

/** Whether `ralph log RUN --round N` has anything to show. */
export async function hasPrinted(paths: RunPaths, round: number): Promise<boolean> {
  for (const { files } of await keptOutputs(paths, null, { round, part: null })) {
    for (const file of [files.transcript, files.stderr]) {
      const size = await stat(file).then(
        (found) => found.size,
        () => 0,
      );
      if (size > 0) return true;
    }
  }
  return false;
}
