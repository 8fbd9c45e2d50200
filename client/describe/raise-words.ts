import type { Ceilings } from '../../schemas/budget/budget.ts';
import { BUDGETS } from '../start/budget-kinds.ts';

/** "rounds 10 → 12, cost $5.00 → $7.50": what rose. Empty: nothing. */
export function raiseText(from: Ceilings, to: Ceilings): string {
  const rounds = to.maxRounds === from.maxRounds ? [] : [`rounds ${from.maxRounds} → ${to.maxRounds}`];
  const others = BUDGETS.flatMap(({ budget, limit, text }) => {
    const [had, has] = [from.budgets[limit], to.budgets[limit]];
    return had === null || has === null || had === has ? [] : [`${budget} ${text(had)} → ${text(has)}`];
  });
  return [...rounds, ...others].join(', ');
}

/** When what was added counts. @param isHeard whether the run is seen to have the new totals */
export function whenItCounts(runId: string, isHeard: boolean): string {
  if (isHeard) return 'The added budget counts from the next attempt on.';
  return `The run has not received this yet; it will when a worker is alive. Until then, the budgets above apply. Do not add the same again: \`ralph budget ${runId}\` will show the new totals.`;
}
