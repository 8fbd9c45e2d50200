import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { readAttempts } from '../workspaces/ledger.ts';
import { attemptPaths, type RunPaths } from '../workspaces/run-paths.ts';

export interface AttemptId {
  readonly round: number;
  readonly attempt: number;
}

/** Attempts that have a folder, in order. `round`: of this one only, null: of all. */
export async function attemptsOnDisk(paths: RunPaths, round: number | null): Promise<AttemptId[]> {
  const rounds = round === null ? await numbersIn(paths.rounds, /^(\d+)$/) : [round];
  const attempts = await Promise.all(
    rounds.map(async (each) => {
      const folder = path.dirname(attemptPaths(paths, each, 1).root);
      return (await numbersIn(folder, /^attempt-(\d+)$/)).map((attempt) => ({ round: each, attempt }));
    }),
  );
  return attempts.flat();
}

/** Whether the attempt has ended: the ledger says so, or a later one has begun, as after a setup (round 0). */
export async function hasAttemptEnded(paths: RunPaths, { round, attempt }: AttemptId): Promise<boolean> {
  const ended = await readAttempts(paths);
  if (ended.some((line) => line.round === round && line.attempt === attempt)) return true;
  const begun = await attemptsOnDisk(paths, null);
  return begun.some((other) => other.round > round || (other.round === round && other.attempt > attempt));
}

/** The numbers in names of that pattern, in order. */
async function numbersIn(folder: string, pattern: RegExp): Promise<number[]> {
  let names: string[];
  try {
    names = await readdir(folder);
  } catch {
    // No folder: nothing has begun here.
    return [];
  }
  return names
    .map((name) => pattern.exec(name))
    .filter((match) => match !== null)
    .map((match) => Number(match[1]))
    .toSorted((a, b) => a - b);
}
