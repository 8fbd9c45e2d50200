import { z } from 'zod';
import { noBudgets, type Budgets } from './budget.ts';
import { Duration, parseDuration } from '../text/duration.ts';
import { parseTokenCount, TokenCount } from './token-count.ts';

/** The least that a cost budget may be: what is smaller would be shown as nothing. */
export const LEAST_COST_USD = 0.01;

/** Budgets as a file holds them: ralph.json what a run gets, config.json what one may ask for. */
export const budgetWords = {
  maxTime: Duration.optional(),
  maxTokens: TokenCount.optional(),
  maxCost: z.number().min(LEAST_COST_USD, `must be at least ${LEAST_COST_USD}, a cent`).optional(),
  maxWait: Duration.optional(),
};

type BudgetWords = { readonly [Name in keyof typeof budgetWords]?: z.infer<(typeof budgetWords)[Name]> };

/** What a file says of budgets; null where it says nothing. */
export function budgetsOf({ maxTime, maxTokens, maxCost, maxWait }: BudgetWords): Budgets {
  return {
    ...noBudgets,
    maxTimeMs: maxTime === undefined ? null : parseDuration(maxTime),
    maxTokens: typeof maxTokens === 'string' ? parseTokenCount(maxTokens) : (maxTokens ?? null),
    maxCostUsd: maxCost ?? null,
    maxWaitMs: maxWait === undefined ? null : parseDuration(maxWait),
  };
}
