import { readdir } from 'node:fs/promises';
import { RunEnding } from '../../schemas/run/result.ts';
import { RUN_ID, RunRequest } from '../../schemas/run/run.ts';
import { errorCode } from '../../system/error-code.ts';
import { readJson } from './json-file.ts';
import { runPaths, runsFolder, type RunPaths } from './run-paths.ts';

/** Ids of the runs that have a folder, sorted. */
export async function listRuns(ralphHome: string): Promise<string[]> {
  try {
    const entries = await readdir(runsFolder(ralphHome), { withFileTypes: true });
    return entries
      .filter((entry) => entry.isDirectory() && RUN_ID.test(entry.name))
      .map((entry) => entry.name)
      .toSorted();
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  }
}

export function readRequest(paths: RunPaths): Promise<RunRequest | null> {
  return readJson(paths.request, RunRequest);
}

export function readEnding(paths: RunPaths): Promise<RunEnding | null> {
  return readJson(paths.ending, RunEnding);
}

/** The earlier runs of a chain, the latest first, as far as this machine has them. */
export async function* previousRuns(
  paths: RunPaths,
  request: RunRequest,
): AsyncGenerator<{ runId: string; paths: RunPaths }> {
  const seen = new Set([request.runId]);
  for (let { previous } = request; previous !== null && !seen.has(previous.runId);) {
    seen.add(previous.runId);
    const before = runPaths(paths.ralphHome, previous.runId);
    yield { runId: previous.runId, paths: before };
    const earlier = await readRequest(before);
    previous = earlier === null ? null : earlier.previous;
  }
}
