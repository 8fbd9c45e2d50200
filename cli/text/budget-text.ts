import { budgetLines } from '../../client/describe/spend-words.ts';
import { rolledBackRounds, type RunView } from '../../client/view/run-view.ts';
import { fields } from '../terminal/layout.ts';
import { palette } from '../terminal/palette.ts';

/** The page of `ralph budget RUN`. */
export function budgetPage(run: RunView): string[] {
  const { rows, notes } = budgetLines({ ...run, rolledBack: rolledBackRounds(run.rollback).length });
  return [...fields(rows, palette(false)), ...notes];
}
