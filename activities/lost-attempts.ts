import type { LostAttempt } from '../schemas/round.ts';
import { lostSince } from '../workspaces/attempts.ts';
import type { RunPaths } from '../workspaces/run-paths.ts';

/** The attempts at a round that were ended from outside and that the loop has not counted yet. */
export async function lostAttempts(
  run: RunPaths,
  { round, afterAttempt }: { round: number; afterAttempt: number },
): Promise<LostAttempt[]> {
  const lost = await lostSince(run, round, afterAttempt);
  return lost.map(({ attempt, by, agentMs, usage, costUsd, costEstimated, checkpoint }) => ({
    attempt,
    by,
    agentMs,
    usage,
    costUsd,
    costEstimated,
    commit: checkpoint === null ? null : checkpoint.commit,
    ref: checkpoint === null ? null : checkpoint.ref,
    changed: checkpoint !== null && checkpoint.changes.files > 0,
  }));
}
