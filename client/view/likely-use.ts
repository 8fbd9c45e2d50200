import { RECENT_ROUNDS } from '../../schemas/budget/budget.ts';
import { Interruption } from '../../schemas/round/fault.ts';
import { median } from '../../schemas/budget/spend.ts';
import { tokensUsed } from '../../schemas/round/usage.ts';
import type { AttemptLine, RoundRow } from './run-view.ts';

type Likely = Pick<RoundRow, 'likelyTokens' | 'likelyCostUsd'>;

/**
 * What a round used of which attempts were ended from outside before they told it: what was told, and for each of those
 * the median of the rounds before, as the sums count it. Null: all was told, or there is nothing to go by.
 */
export function likelyUse(attempts: readonly AttemptLine[], before: readonly RoundRow[]): Likely {
  const typical = median(
    before.slice(-RECENT_ROUNDS).map(({ usage, costUsd, likelyTokens, likelyCostUsd }) => ({
      timeMs: 0,
      tokens: tokensUsed(usage) ?? likelyTokens ?? 0,
      costUsd: costUsd ?? likelyCostUsd ?? 0,
    })),
  );
  return {
    likelyTokens: likely(
      attempts.map((each) => ({ ...each, told: tokensUsed(each.usage) })),
      typical.tokens,
    ),
    likelyCostUsd: likely(
      attempts.map((each) => ({ ...each, told: each.costUsd })),
      typical.costUsd,
    ),
  };
}

function likely(attempts: readonly { outcome: string; told: number | null }[], typical: number): number | null {
  const untold = attempts.filter(({ told }) => told === null);
  if (untold.length === 0 || typical === 0 || !untold.every(({ outcome }) => isLost(outcome))) return null;
  return attempts.reduce((total, { told }) => total + (told ?? typical), 0);
}

/** Whether an attempt was ended from outside. */
export const isLost = (outcome: string): boolean => Interruption.options.some((by) => by === outcome);
