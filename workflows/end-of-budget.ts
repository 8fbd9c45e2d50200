import type { LoopState } from '../schemas/loop.ts';
import type { RunResult } from '../schemas/result.ts';
import type { BudgetReached } from './budget.ts';
import { endedAt } from './decide-after-report.ts';

/** The end of a run whose budget leaves no room for a further round. */
export function limitedBy(state: LoopState, { budget, reason }: BudgetReached): RunResult {
  return { status: 'budget-limited', ...endedAt(state), budget, reason, handoff: state.handoff };
}
