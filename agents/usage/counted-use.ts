import { costAt, priceOf, type PriceTable } from '../../schemas/budget/prices.ts';
import type { Usage } from '../../schemas/round/usage.ts';
import type { ToldUse } from '../provider.ts';

/** What an agent used, as it counts. */
export interface CountedUse {
  readonly usage: Usage | null;
  /** Null: neither told, nor to be estimated. */
  readonly costUsd: number | null;
  readonly costEstimated: boolean;
}

/** What a program told, with its cost estimated where it told its tokens alone. @param model as the user named it */
export function countedUse(told: ToldUse, model: string | null, prices: PriceTable): CountedUse {
  const { usage, costUsd } = told;
  if (usage === null || costUsd !== null) return { usage, costUsd, costEstimated: false };
  for (const named of [told.model, model]) {
    const price = named === null ? null : priceOf(named, prices);
    if (price !== null) return { usage, costUsd: costAt(price, usage), costEstimated: true };
  }
  return { usage, costUsd: null, costEstimated: false };
}
