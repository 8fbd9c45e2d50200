import type { Fault } from '../schemas/round/fault.ts';
import type { Ceilings, LoopState } from '../schemas/loop/loop.ts';
import type { RunResult } from '../schemas/run/result.ts';
import { budgetReached, type BudgetReached } from './budget.ts';
import { endedAt } from './decide-after-report.ts';

/** The end of a run whose budget leaves no room for a further round. */
export function limitedBy(state: LoopState, { budget, reason }: BudgetReached): RunResult {
  return { status: 'budget-limited', ...endedAt(state), budget, reason, handoff: state.handoff };
}

/**
 * The end of a run whose agent was ended as it reached a budget. Null where the budget was raised meanwhile, which the
 * agent could not know.
 * @param known the limits that it was started with; `now`: those that are in force
 */
export function spentUp(
  state: LoopState,
  fault: Fault,
  { known, now }: Record<'known' | 'now', Ceilings>,
): RunResult | null {
  if (budgetReached(state.spent, now.budgets) === null && now !== known) return null;
  const { budget = 'time', message: reason } = fault;
  return limitedBy(state, { budget, reason });
}
