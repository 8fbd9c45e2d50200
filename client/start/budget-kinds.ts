import type { Budgets } from '../../schemas/budget/budget.ts';
import { ralphError } from '../../schemas/errors/index.ts';
import { durationText } from '../../schemas/text/duration-text.ts';
import { several } from '../../schemas/text/several.ts';

/** The budgets other than rounds: their names in schemas, on the command line and in files, and an amount in words. */
export const BUDGETS = [
  { budget: 'time', limit: 'maxTimeMs', key: 'maxTime', option: '--max-time', add: '--add-time', text: durationText },
  {
    budget: 'tokens',
    limit: 'maxTokens',
    key: 'maxTokens',
    option: '--max-tokens',
    add: '--add-tokens',
    text: (amount: number) => several(amount, 'token'),
  },
  {
    budget: 'cost',
    limit: 'maxCostUsd',
    key: 'maxCost',
    option: '--max-cost',
    add: '--add-cost',
    text: (usd: number) => `$${usd.toFixed(2)}`,
  },
  { budget: 'wait', limit: 'maxWaitMs', key: 'maxWait', option: '--max-wait', add: '--add-wait', text: durationText },
] as const satisfies readonly {
  budget: string;
  limit: keyof Budgets;
  key: string;
  option: string;
  add: string;
  text: (amount: number) => string;
}[];

/** Throws RalphError `budget-over-ceiling` if a budget is above the deployment's ceiling. */
export function rejectOverCeiling(budgets: Budgets, ceilings: Budgets): void {
  for (const { limit, key, option, text } of BUDGETS) {
    const value = budgets[limit];
    const ceiling = ceilings[limit];
    if (value === null || ceiling === null || value <= ceiling) continue;
    throw ralphError('budget-over-ceiling', { option, key, asked: text(value), ceiling: text(ceiling) });
  }
}
