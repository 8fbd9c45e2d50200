import { noBudgets, type BudgetName } from '../../schemas/budget/budget.ts';
import type { Ceilings } from '../../schemas/loop/loop.ts';
import type { UnreleasedEnding } from '../../schemas/run/result.ts';
import { budgetOut, budgetsLeft, type NewBudgets } from './budgets-left.ts';
import { sensibleAmount } from './sensible-amount.ts';
import type { UsedBefore } from '../view/used-before.ts';

/** The flags without which it would be refused, or end at once. Throws RalphError where even with them it would be. */
export function resumeFlags(ending: UnreleasedEnding | null, used: UsedBefore, most: Ceilings): string {
  const { request, ceilings, spent, rounds } = used;
  const had = ceilings ?? { maxRounds: request.limits.maxRounds, budgets: request.budgets };
  let given: NewBudgets = { maxRounds: null, budgets: noBudgets };
  const flags: string[] = [];
  const give = (budget: BudgetName): void => {
    const { flag, maxRounds, budgets } = sensibleAmount(budget, used, most);
    flags.push(flag);
    given = { maxRounds: maxRounds ?? given.maxRounds, budgets: { ...given.budgets, ...budgets } };
  };
  const out = (): BudgetName | null => {
    const { maxTimeMs, maxTokens, maxCostUsd, maxWaitMs } = given.budgets;
    const reached = budgetOut({
      rounds,
      maxRounds: given.maxRounds === null ? had.maxRounds : null,
      spent,
      budgets: {
        maxTimeMs: maxTimeMs === null ? had.budgets.maxTimeMs : null,
        maxTokens: maxTokens === null ? had.budgets.maxTokens : null,
        maxCostUsd: maxCostUsd === null ? had.budgets.maxCostUsd : null,
        maxWaitMs: maxWaitMs === null ? had.budgets.maxWaitMs : null,
      },
    });
    return reached === null ? null : reached.budget;
  };
  if (ending !== null && ending.status === 'budget-limited') give(ending.budget);
  for (let budget = out(); budget !== null; budget = out()) give(budget);
  budgetsLeft(used, given, most);
  return flags.map((flag) => ` ${flag}`).join('');
}
