import { nothingSpent, type Budgets, type Spent } from '../../schemas/budget/budget.ts';
import { durationText } from '../../schemas/text/duration.ts';
import { ralphError } from '../../schemas/errors/index.ts';
import type { Ceilings } from '../../schemas/budget/budget.ts';
import type { LoopState } from '../../schemas/loop/state.ts';
import { usedOf } from '../../schemas/text/several.ts';
import { runPaths } from '../../workspaces/records/run-paths.ts';
import { unaffordable, type BudgetReached } from '../../workflows/decide/budgets.ts';
import { BUDGETS, rejectOverCeiling } from '../start/budget-kinds.ts';
import type { Chain } from './chain.ts';
import { finalStateOnDisk } from './read-state.ts';

/** Budgets that the user gives for a follow-up; null: it has what is left. */
export interface NewBudgets {
  readonly maxRounds: number | null;
  readonly budgets: Budgets;
}

/** What counts against the budgets of a run that is to be resumed. */
export interface ChainUse {
  readonly runId: string;
  readonly ceilings: Ceilings;
  readonly spent: Spent;
  readonly rounds: number;
}

/** What the last run of a chain used, and the runs after it that were rolled back to their beginning. */
export async function usedOfChain(
  ralphHome: string,
  { runId, final, chain }: { runId: string; final: LoopState; chain: Chain },
): Promise<ChainUse> {
  let { spent, rounds } = final;
  for (const { runId: each, request } of chain.runs) {
    if (request === null || !chain.discarded.includes(each)) continue;
    const later = await finalStateOnDisk(runPaths(ralphHome, each), request);
    if (later === null) continue;
    spent = addSpent(spent, later.spent);
    rounds += later.rounds;
  }
  return { runId, ceilings: final.ceilings, spent, rounds };
}

/** The sum; a round is still expected to use what the last rounds of the first did. */
const addSpent = (a: Spent, b: Spent): Spent => ({
  ...a,
  timeMs: a.timeMs + b.timeMs,
  tokens: a.tokens + b.tokens,
  costUsd: a.costUsd + b.costUsd,
  waitMs: a.waitMs + b.waitMs,
  cacheReadTokens: a.cacheReadTokens + b.cacheReadTokens,
  estimated: a.estimated || b.estimated,
});

/**
 * The budgets of a follow-up: the given ones, else what is left; never above the deployment's ceilings. Throws RalphError
 * `budget-used-up` if nothing is left, or less than a round takes.
 */
export function budgetsLeft(used: ChainUse, given: NewBudgets, most: Ceilings): Ceilings {
  const { runId, ceilings: had, spent, rounds } = used;
  const counting = { ...had.budgets };
  for (const { limit } of BUDGETS) if (given.budgets[limit] !== null) counting[limit] = null;
  const reached = budgetOut({
    rounds,
    maxRounds: given.maxRounds === null ? had.maxRounds : null,
    spent,
    budgets: counting,
  });
  // With less than a round takes, none would begin.
  const short = reached ?? unaffordable({ ...nothingSpent, recent: spent.recent }, given.budgets);
  if (short !== null) {
    const { budget, reason } = short;
    const flag = budget === 'rounds' ? '--max-rounds' : optionOf(budget);
    throw ralphError('budget-used-up', { runId, budget, reason, flag });
  }
  const maxRounds = given.maxRounds ?? had.maxRounds - rounds;
  if (maxRounds > most.maxRounds) {
    throw ralphError('max-rounds-over-ceiling', { asked: maxRounds, ceiling: most.maxRounds });
  }
  const budgets: Budgets = {
    maxTimeMs: left(given.budgets.maxTimeMs, counting.maxTimeMs, { used: spent.timeMs, most: most.budgets.maxTimeMs }),
    maxTokens: left(given.budgets.maxTokens, counting.maxTokens, { used: spent.tokens, most: most.budgets.maxTokens }),
    maxCostUsd:
      given.budgets.maxCostUsd ??
      (counting.maxCostUsd === null ? most.budgets.maxCostUsd : counting.maxCostUsd - spent.costUsd),
    maxWaitMs: left(given.budgets.maxWaitMs, counting.maxWaitMs, { used: spent.waitMs, most: most.budgets.maxWaitMs }),
  };
  rejectOverCeiling(budgets, most.budgets);
  return { maxRounds, budgets };
}

/** The budget of which nothing is left, or less than a round is likely to take; null: none. */
export function budgetOut(use: {
  rounds: number;
  maxRounds: number | null;
  spent: Spent;
  budgets: Budgets;
}): BudgetReached | null {
  const { rounds, maxRounds, spent, budgets } = use;
  return roundsReached(maxRounds, rounds) ?? unaffordable(spent, budgets) ?? waitReached(spent, budgets);
}

function roundsReached(maxRounds: number | null, rounds: number): BudgetReached | null {
  if (maxRounds === null || rounds < maxRounds) return null;
  return { budget: 'rounds', reason: usedOf(rounds, maxRounds, 'round') };
}

function waitReached({ waitMs }: Spent, { maxWaitMs }: Budgets): BudgetReached | null {
  if (maxWaitMs === null || waitMs < maxWaitMs) return null;
  return { budget: 'wait', reason: `${durationText(waitMs)} of ${durationText(maxWaitMs)} of waiting are used` };
}

/** A whole amount of at least one: something is left, or the budget was rejected before. */
function left(given: number | null, limit: number | null, at: { used: number; most: number | null }): number | null {
  return given ?? (limit === null ? at.most : Math.max(1, Math.floor(limit - at.used)));
}

function optionOf(budget: BudgetReached['budget']): string {
  const kind = BUDGETS.find((each) => each.budget === budget);
  if (kind === undefined) throw new Error(`no option sets the ${budget} budget`);
  return kind.option;
}
