import type { Allowance, BudgetName } from '../../schemas/budget/budget.ts';
import { costAt, priceOf, type PriceTable } from '../../schemas/budget/prices.ts';
import { tokensUsed } from '../../schemas/round/tokens-used.ts';
import type { Usage } from '../../schemas/round/usage.ts';
import { durationText } from '../../schemas/text/duration.ts';
import { several } from '../../schemas/text/several.ts';
import type { ReportedUse } from '../provider.ts';

/** What an agent used, as it counts. */
export interface CountedUse {
  readonly usage: Usage | null;
  /** Null: neither reported, nor to be estimated. */
  readonly costUsd: number | null;
  readonly costEstimated: boolean;
}

/** What a program reported, with its cost estimated where it told its tokens alone. @param model as the user named it */
export function countedUse(reported: ReportedUse, model: string | null, prices: PriceTable): CountedUse {
  const { usage, costUsd } = reported;
  if (usage === null || costUsd !== null) return { usage, costUsd, costEstimated: false };
  for (const named of [reported.model, model]) {
    const price = named === null ? null : priceOf(named, prices);
    if (price !== null) return { usage, costUsd: costAt(price, usage), costEstimated: true };
  }
  return { usage, costUsd: null, costEstimated: false };
}

/** The budget that an attempt has used up, and in words how much. */
export interface Overspent {
  readonly budget: BudgetName;
  readonly message: string;
}

/**
 * Whether an attempt has used up what its run's budgets left it: says which, how much was used and what was left of it.
 * Null: something is left, or nothing is reported.
 */
export function overspent({ usage, costUsd, costEstimated }: CountedUse, allowance: Allowance): Overspent | null {
  const tokens = tokensUsed(usage);
  if (allowance.tokens !== null && tokens !== null && tokens >= allowance.tokens) {
    return spent('tokens', { used: count(tokens), left: count(allowance.tokens) });
  }
  if (allowance.costUsd !== null && costUsd !== null && costUsd >= allowance.costUsd) {
    const used = costEstimated ? `about ${dollars(costUsd)}` : dollars(costUsd);
    return spent('cost', { used, left: dollars(allowance.costUsd) });
  }
  return null;
}

/** The same of a run's time, once the attempt has worked for as long as was left. */
export function outOfTime(timeMs: number | null): Overspent {
  const used = timeMs === null ? 'all' : durationText(timeMs);
  return spent('time', { used, left: used });
}

const spent = (budget: BudgetName, { used, left }: { used: string; left: string }): Overspent => ({
  budget,
  message: `the run's ${budget} budget is used up: this attempt used ${used}, and ${left} was left for it`,
});

const count = (tokens: number): string => several(Math.round(tokens), 'token');
const dollars = (usd: number): string => `$${usd.toFixed(2)}`;
