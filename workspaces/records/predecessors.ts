import type { RunRequest } from '../../schemas/run/run.ts';
import { readRequest } from './ledger.ts';
import { runPaths, type RunPaths } from './run-paths.ts';

/** The earlier runs of a line, the latest first, as far as this machine has them. */
export async function* predecessors(
  paths: RunPaths,
  request: RunRequest,
): AsyncGenerator<{ runId: string; paths: RunPaths }> {
  const seen = new Set([request.runId]);
  for (let { predecessor } = request; predecessor !== null && !seen.has(predecessor.runId);) {
    seen.add(predecessor.runId);
    const before = runPaths(paths.ralphHome, predecessor.runId);
    yield { runId: predecessor.runId, paths: before };
    const earlier = await readRequest(before);
    predecessor = earlier === null ? null : earlier.predecessor;
  }
}
