import { nothingSpent, type Budgets, type Spent } from '../../schemas/budget/budget.ts';
import { durationText } from '../../schemas/text/duration-text.ts';
import { ralphError } from '../../schemas/errors/index.ts';
import type { Ceilings } from '../../schemas/loop/loop.ts';
import type { RunRequest } from '../../schemas/run/run.ts';
import { usedOf } from '../../schemas/text/several.ts';
import { unaffordable, type BudgetReached } from '../../workflows/budget.ts';
import { BUDGETS } from '../start/budget-kinds.ts';
import { refuseOverCeiling } from '../start/merge-budgets.ts';

/** What a person gives anew; null: what is left counts. */
export interface NewBudgets {
  readonly maxRounds: number | null;
  readonly budgets: Budgets;
}

/**
 * The budgets of a run that goes on from another: newly given ones, else what that one left; never above the deployment's
 * ceilings. Throws RalphError `budget-used-up` where nothing is left, or less than a round takes.
 */
export function budgetsLeft(
  ended: { request: RunRequest; ceilings: Ceilings | null; spent: Spent; rounds: number },
  given: NewBudgets,
  most: Ceilings,
): Ceilings {
  const { request, spent, rounds } = ended;
  const had = ended.ceilings ?? { maxRounds: request.limits.maxRounds, budgets: request.budgets };
  const counting = { ...had.budgets };
  for (const { limit } of BUDGETS) if (given.budgets[limit] !== null) counting[limit] = null;
  const reached = budgetOut({
    rounds,
    maxRounds: given.maxRounds === null ? had.maxRounds : null,
    spent,
    budgets: counting,
  });
  // Less than a round takes would begin none.
  const short = reached ?? unaffordable({ ...nothingSpent, recent: spent.recent }, given.budgets);
  if (short !== null) {
    const { budget, reason } = short;
    const flag = budget === 'rounds' ? '--max-rounds' : optionOf(budget);
    throw ralphError('budget-used-up', { runId: request.runId, budget, reason, flag });
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
  refuseOverCeiling(budgets, most.budgets);
  return { maxRounds, budgets };
}

/** The budget that has nothing left, or less than a round is likely to take; null: none. */
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
  return { budget: 'wait', reason: `${durationText(waitMs)} of ${durationText(maxWaitMs)} were waited` };
}

/** A whole amount of at least one: that there is something left was found out before. */
function left(given: number | null, limit: number | null, at: { used: number; most: number | null }): number | null {
  return given ?? (limit === null ? at.most : Math.max(1, Math.floor(limit - at.used)));
}

function optionOf(budget: BudgetReached['budget']): string {
  const kind = BUDGETS.find((each) => each.budget === budget);
  if (kind === undefined) throw new Error(`no option gives ${budget}`);
  return kind.option;
}
