import { stat } from 'node:fs/promises';
import type { AttemptOutcome, LostAttempt } from '../../schemas/round/round.ts';
import { lostSince } from './attempts.ts';
import { attemptPaths, type RunPaths } from './run-paths.ts';

/** The attempts at a round that were ended from outside and that the loop has not counted yet. */
export async function lostAttempts(
  run: RunPaths,
  { round, afterAttempt }: { round: number; afterAttempt: number },
): Promise<LostAttempt[]> {
  const lost = await lostSince(run, round, afterAttempt);
  return Promise.all(
    lost.map(async (outcome) => {
      const { attempt, by, usage, costUsd, costEstimated, checkpoint } = outcome;
      return {
        attempt,
        by,
        agentMs: outcome.agentMs === null ? await msOfOutput(run, outcome) : outcome.agentMs,
        usage,
        costUsd,
        costEstimated,
        commit: checkpoint === null ? null : checkpoint.commit,
        ref: checkpoint === null ? null : checkpoint.ref,
        changed: checkpoint !== null && checkpoint.changes.files > 0,
      };
    }),
  );
}

/** How long an agent was at work whose worker was lost, at the least: until it last printed. Null: it never did. */
async function msOfOutput(run: RunPaths, { round, attempt, startedAt }: AttemptOutcome): Promise<number | null> {
  const { transcript } = attemptPaths(run, round, attempt);
  const printed = await stat(transcript).catch(() => null);
  if (printed === null || printed.size === 0) return null;
  return Math.max(0, Math.round(printed.mtimeMs - Date.parse(startedAt)));
}
