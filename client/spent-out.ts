import { type BudgetName, noBudgets, nothingSpent } from '../schemas/budget.ts';
import { budgetOut } from './budgets-left.ts';
import type { RunView } from './run-view.ts';
import { roundsOf } from './spent-by.ts';

/** The budget that must be given anew before a run which has ended is gone on from; null: none, as far as is known. */
export function spentOut(run: RunView): BudgetName | null {
  const { maxRounds, budgets, spent } = run;
  const reached = budgetOut({
    rounds: roundsOf(run),
    maxRounds,
    spent: spent ?? nothingSpent,
    budgets: budgets ?? noBudgets,
  });
  return reached === null ? null : reached.budget;
}
