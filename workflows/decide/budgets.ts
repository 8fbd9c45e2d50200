import {
  noUse,
  type BudgetName,
  type Budgets,
  type Ceilings,
  type Spent,
  type Use,
} from '../../schemas/budget/budget.ts';
import type { LoopState } from '../../schemas/loop/state.ts';
import type { Fault } from '../../schemas/round/fault.ts';
import type { RunResult } from '../../schemas/run/result.ts';
import { durationText } from '../../schemas/text/duration.ts';
import { several } from '../../schemas/text/several.ts';
import type { After } from './events.ts';
import { endedAt } from './next-round.ts';
import { sameCeilings } from '../../schemas/budget/ceilings.ts';

/** A budget that allows no more, and in words what was used of it. */
export interface BudgetReached {
  readonly budget: BudgetName;
  readonly reason: string;
}

const dollars = (usd: number): string => `$${usd.toFixed(2)}`;
const tokens = (count: number): string => several(Math.round(count), 'token');

const KINDS = [
  { budget: 'time', used: 'timeMs', limit: 'maxTimeMs', words: durationText },
  { budget: 'tokens', used: 'tokens', limit: 'maxTokens', words: tokens },
  { budget: 'cost', used: 'costUsd', limit: 'maxCostUsd', words: dollars },
] as const;

/** The budget that is used up; null: none. */
export function budgetReached(spent: Spent, budgets: Budgets): BudgetReached | null {
  for (const { budget, used, limit, words } of KINDS) {
    const most = budgets[limit];
    if (most !== null && spent[used] >= most) {
      return { budget, reason: `${words(spent[used])} of ${words(most)} are used` };
    }
  }
  return null;
}

/** The budget that a further round would likely go beyond, going by the mean of the last ones; null: none. */
export function unaffordable(spent: Spent, budgets: Budgets): BudgetReached | null {
  const reached = budgetReached(spent, budgets);
  if (reached !== null) return reached;
  const next = mean(spent.recent);
  for (const { budget, used, limit, words } of KINDS) {
    const most = budgets[limit];
    if (most !== null && spent[used] + next[used] > most) {
      const reason = `${words(spent[used])} of ${words(most)} are used, and a round takes about ${words(next[used])}`;
      return { budget, reason };
    }
  }
  return null;
}

/** Whether a wait goes beyond what may be waited. */
export function waitTooLong(spent: Spent, budgets: Budgets, delayMs: number): BudgetReached | null {
  const { maxWaitMs } = budgets;
  if (maxWaitMs === null || spent.waitMs + delayMs <= maxWaitMs) return null;
  const reason = `${durationText(spent.waitMs)} of ${durationText(maxWaitMs)} were waited, and ${durationText(delayMs)} more would be needed`;
  return { budget: 'wait', reason };
}

/** The end of a run whose budget leaves no room for a further round. */
export function limitedBy(state: LoopState, { budget, reason }: BudgetReached): RunResult {
  return { status: 'budget-limited', ...endedAt(state), budget, reason, handoff: state.handoff };
}

/**
 * An agent was ended as it reached a budget: the end of the run, unless the budget was raised meanwhile, which the agent
 * could not know. @param asked the limits that it was started with
 */
export function spentUp(state: LoopState, fault: Fault, asked: Ceilings): After {
  const isRaised = !sameCeilings(asked, state.ceilings);
  if (isRaised && budgetReached(state.spent, state.ceilings.budgets) === null) return { state, kind: 'again' };
  const { budget = 'time', message: reason } = fault;
  return { state, kind: 'end', ending: limitedBy(state, { budget, reason }) };
}

function mean(uses: readonly Use[]): Use {
  if (uses.length === 0) return noUse;
  const of = (name: keyof Use): number => uses.reduce((total, use) => total + use[name], 0) / uses.length;
  return { timeMs: of('timeMs'), tokens: of('tokens'), costUsd: of('costUsd') };
}
