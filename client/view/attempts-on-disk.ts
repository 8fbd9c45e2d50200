import { readAttempts } from '../../workspaces/records/ledger.ts';
import { attemptsAt, roundsBegun } from '../../workspaces/records/steps.ts';
import type { RunPaths } from '../../workspaces/records/run-paths.ts';

export interface AttemptId {
  readonly round: number;
  readonly attempt: number;
}

/** Attempts that have a folder, in order. `round`: of this one only, null: of all. */
export async function attemptsOnDisk(paths: RunPaths, round: number | null): Promise<AttemptId[]> {
  const rounds = round === null ? await roundsBegun(paths) : [round];
  const attempts = await Promise.all(
    rounds.map(async (each) => (await attemptsAt(paths, each)).map((attempt) => ({ round: each, attempt }))),
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
