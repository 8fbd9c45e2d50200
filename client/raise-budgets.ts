import type { Budgets } from '../schemas/budget.ts';
import { ralphError } from '../schemas/errors/index.ts';
import type { Ceilings } from '../schemas/loop.ts';
import type { Steer } from '../schemas/steering.ts';
import { noBudgets } from '../schemas/budget.ts';
import { BUDGETS } from './budget-kinds.ts';
import { refuseOverCeiling } from './merge-budgets.ts';

/** What is to be added; null: nothing. */
export interface Additions {
  readonly rounds: number | null;
  readonly budgets: Budgets;
}

export type Raise = Extract<Steer, { kind: 'raise' }>;

/**
 * New totals of a run's budgets: what it has, and what is added. `unlimited`: budgets that have no limit, so that nothing
 * can be added. Throws RalphError where a total would be above the deployment's ceiling.
 */
export function raiseBudgets(
  now: Ceilings,
  { rounds, budgets: added }: Additions,
  ceilings: Ceilings,
): { raise: Raise | null; unlimited: readonly string[] } {
  const maxRounds = rounds === null ? null : now.maxRounds + rounds;
  if (maxRounds !== null && maxRounds > ceilings.maxRounds) {
    throw ralphError('max-rounds-over-ceiling', { asked: maxRounds, ceiling: ceilings.maxRounds });
  }
  const budgets: Budgets = { ...noBudgets };
  const unlimited: string[] = [];
  for (const { budget, limit } of BUDGETS) {
    const more = added[limit];
    const has = now.budgets[limit];
    if (more === null) continue;
    if (has === null) unlimited.push(budget);
    else budgets[limit] = has + more;
  }
  refuseOverCeiling(budgets, ceilings.budgets);
  const nothing = maxRounds === null && BUDGETS.every(({ limit }) => budgets[limit] === null);
  return { raise: nothing ? null : { kind: 'raise', maxRounds, budgets }, unlimited };
}

/** Whether a run's budgets are as they were raised to. */
export function areRaised(now: Ceilings, { maxRounds, budgets }: Pick<Raise, 'maxRounds' | 'budgets'>): boolean {
  const reached = BUDGETS.every(({ limit }) => {
    const asked = budgets[limit];
    const has = now.budgets[limit];
    return asked === null || has === null || has >= asked;
  });
  return reached && (maxRounds === null || now.maxRounds >= maxRounds);
}
