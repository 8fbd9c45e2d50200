import type { Budgets, Ceilings } from './budget.ts';

const LIMITS = ['maxTimeMs', 'maxTokens', 'maxCostUsd', 'maxWaitMs'] as const satisfies (keyof Budgets)[];

/** Totals to raise ceilings to; null: not that one. */
export interface Raises {
  readonly maxRounds: number | null;
  readonly budgets: Budgets;
}

/** The ceilings once they were raised. Totals only rise, and a budget without a limit gets none. */
export function raiseCeilings(now: Ceilings, to: Raises | null): Ceilings {
  const budgets = { ...now.budgets };
  if (to === null) return { maxRounds: now.maxRounds, budgets };
  for (const limit of LIMITS) {
    const [has, asked] = [budgets[limit], to.budgets[limit]];
    if (has !== null && asked !== null) budgets[limit] = Math.max(has, asked);
  }
  return { maxRounds: Math.max(now.maxRounds, to.maxRounds ?? 0), budgets };
}

export const sameCeilings = (a: Ceilings, b: Ceilings): boolean =>
  a.maxRounds === b.maxRounds && LIMITS.every((limit) => a.budgets[limit] === b.budgets[limit]);
