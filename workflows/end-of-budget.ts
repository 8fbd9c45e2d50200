import type { Budgets } from '../schemas/budget.ts';
import type { Fault } from '../schemas/fault.ts';
import type { LoopState } from '../schemas/loop.ts';
import type { RunResult } from '../schemas/result.ts';
import { budgetReached, type BudgetReached } from './budget.ts';
import { endedAt } from './decide-after-report.ts';

/** The end of a run whose budget leaves no room for a further round. */
export function limitedBy(state: LoopState, { budget, reason }: BudgetReached): RunResult {
  return { status: 'budget-limited', ...endedAt(state), budget, reason, handoff: state.handoff };
}

/** The end of a run whose budget was used up in mid-round, as its worker saw. */
export function endOfBudget(state: LoopState, budgets: Budgets, { message }: Fault): RunResult {
  const reached = budgetReached(state.spent, budgets);
  // What the program told while it ran can be above what it says at its end.
  return limitedBy(state, { budget: reached === null ? likeliest(budgets) : reached.budget, reason: message });
}

function likeliest({ maxCostUsd, maxTokens }: Budgets): BudgetReached['budget'] {
  if (maxCostUsd !== null) return 'cost';
  return maxTokens === null ? 'time' : 'tokens';
}
