import type { Counters, RunMemo } from '../../schemas/loop/memo.ts';
import type { CheckProgress } from '../../schemas/verification/check-progress.ts';
import type { RoundProgress } from '../../schemas/round/round-progress.ts';

/**
 * Where a live run stands: its memo, which is written when the status changes or a person told the run something, with
 * what is newer in the heartbeat of the current step. Limits only rise, so that the higher one is the newer one.
 */
export function liveState(
  memo: RunMemo,
  { progress, check }: { progress: RoundProgress | null; check: CheckProgress | null },
): RunMemo {
  const counters = progress?.counters ?? check?.counters ?? null;
  if (counters === null) return memo;
  const { spent, commit, ref } = counters;
  const round = progress === null ? memo.round : Math.max(memo.round, progress.round);
  return { ...memo, round, spent, commit, ref, ...ceilings(memo, counters) };
}

function ceilings(
  memo: RunMemo,
  { ceilings: { maxRounds, budgets } }: Counters,
): Pick<RunMemo, 'maxRounds' | 'budgets'> {
  return {
    maxRounds: Math.max(memo.maxRounds, maxRounds),
    budgets: {
      maxTimeMs: higher(memo.budgets.maxTimeMs, budgets.maxTimeMs),
      maxTokens: higher(memo.budgets.maxTokens, budgets.maxTokens),
      maxCostUsd: higher(memo.budgets.maxCostUsd, budgets.maxCostUsd),
      maxWaitMs: higher(memo.budgets.maxWaitMs, budgets.maxWaitMs),
    },
  };
}

/** What has no limit gets none. */
const higher = (a: number | null, b: number | null): number | null =>
  a === null || b === null ? null : Math.max(a, b);
