import type { Budgets } from '../../schemas/budget/budget.ts';
import { budgetsOf } from '../../schemas/budget/budget-words.ts';
import { ralphError } from '../../schemas/errors/index.ts';
import type { RepositoryDefaults } from '../../schemas/run/repository-defaults.ts';
import { BUDGETS } from './budget-kinds.ts';
import type { RunOptions } from './run-options.ts';

/**
 * The budgets of a run: flags, else the repository's, else the deployment's ceilings; never above those. Throws
 * RalphError.
 */
export function mergeBudgets(
  { budgets: asked }: Pick<RunOptions, 'budgets'>,
  defaults: RepositoryDefaults,
  ceilings: Budgets,
): Budgets {
  const proposed = budgetsOf(defaults);
  const merged = { ...ceilings };
  for (const { limit } of BUDGETS) merged[limit] = asked[limit] ?? proposed[limit] ?? ceilings[limit];
  refuseOverCeiling(merged, ceilings);
  return merged;
}

/** Refuse budgets above the deployment's ceilings. Throws RalphError. */
export function refuseOverCeiling(budgets: Budgets, ceilings: Budgets): void {
  for (const { limit, key, option, text } of BUDGETS) {
    const value = budgets[limit];
    const ceiling = ceilings[limit];
    if (value === null || ceiling === null || value <= ceiling) continue;
    throw ralphError('budget-over-ceiling', { option, key, asked: text(value), ceiling: text(ceiling) });
  }
}
