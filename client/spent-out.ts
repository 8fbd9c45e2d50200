import { type BudgetName, noBudgets, nothingSpent } from '../schemas/budget.ts';
import { budgetOut } from './budgets-left.ts';
import type { RunView } from './run-view.ts';
import { roundsUsedUp } from './spent-by.ts';

/** The budget that must be given anew before a run which has ended is gone on from; null: none, as far as is known. */
export function spentOut({ ending, rounds, rolledBack, maxRounds, budgets, spent }: RunView): BudgetName | null {
  const lines = [...rounds, ...rolledBack].map(({ round, status }) => ({ round, outcome: status }));
  const reached = budgetOut({
    rounds: roundsUsedUp(ending, lines),
    maxRounds,
    spent: spent ?? nothingSpent,
    budgets: budgets ?? noBudgets,
  });
  return reached === null ? null : reached.budget;
}
