import type { CheckLine, RunView } from '../../client/view/run-view.ts';
import { several } from '../text/amounts.ts';

/**
 * "4 attempts, 1 of them ended from outside": those that a run failed after count no such one.
 * @param kind of the check of a claim; null: of the round
 */
export function attemptsText(
  { rounds, checks }: Pick<RunView, 'rounds' | 'checks'>,
  { round, attempts, kind }: { round: number; attempts: number; kind: CheckLine['kind'] | null },
): string {
  const cut =
    kind === null
      ? (rounds.find((row) => row.round === round)?.interrupted ?? 0)
      : checks.filter((check) => check.kind === kind && check.round === round && check.result === 'interrupted').length;
  const text = several(attempts, 'attempt');
  return cut === 0 || cut > attempts ? text : `${text}, ${cut} of them ended from outside`;
}

/** The check of a claim that could not be done, where that is what failed. */
export function failedCheck({ checks: all }: Pick<RunView, 'checks'>, round: number): CheckLine | null {
  const check = all.findLast((each) => each.round === round);
  return check !== undefined && check.result === 'failed' ? check : null;
}
