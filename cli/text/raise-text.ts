import { BUDGETS } from '../../client/start/budget-kinds.ts';
import type { Ceilings } from '../../schemas/loop/loop.ts';

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
  if (isHeard) return 'What was added counts from the next attempt on.';
  return `The engine has not taken this over yet: it does once a worker is there, and what is above is what it has until then. \`ralph budget ${runId}\` shows the new totals when it has. Do not add the same again.`;
}
