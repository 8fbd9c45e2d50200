import type { RoundRow, RunView } from '../../client/view/run-view.ts';
import type { Handoff } from '../../schemas/round/report.ts';
import { isReport } from '../../client/view/is-report.ts';
import { several } from '../text/amounts.ts';
import { checkTexts } from '../text/check-texts.ts';
import { CLAIMS, isOpenClaim, roundStatus } from '../text/claim-text.ts';
import { cutShort, outcomeText } from '../text/outcome-text.ts';
import { usedText } from '../text/spent-text.ts';
import { standingChecks } from '../text/standing-checks.ts';
import { shortened } from './within-lines.ts';

// What `ralph why` goes by, in lines.

export const MOST = 5;
/** Lines of a next step: of one that has what a gate printed, and of any other. */
const OUTPUT_LINES = 13;
const STEP_LINES = 3;

export function roundText(row: RoundRow, run: RunView): string {
  const { round, attempts } = row;
  const name = `round ${round}${attempts > 1 ? `, ${several(attempts, 'attempt')}` : ''}`;
  const status = roundStatus(row, run);
  const how = isOpenClaim(row, run) ? CLAIMS : (cutShort(status) ?? outcomeText(status));
  return `${name}: ${how}${summaryText(row)}`;
}

export const summaryText = ({ summary }: Pick<RoundRow, 'summary'>): string =>
  summary === null || summary === '' ? '' : `: ${summary}`;

export const lastRound = (run: RunView): string[] => run.rounds.slice(-1).map((row) => roundText(row, run));

/** Of a run that was stopped in a round, how the last attempt at it ended. */
export const unendedRound = (run: RunView): string[] => {
  const last = run.rounds.at(-1);
  return last === undefined || isReport(last.status) ? [] : [roundText(last, run)];
};

/** Of a run that came to no round of its own, what took its time. */
export function beforeRounds({ rounds, rolledBack, setup, gates }: RunView): string[] {
  if (rounds.length + rolledBack.length > 0) return [];
  const what = [
    ...(setup === null ? [] : ['its setup']),
    ...(gates === null || gates.length === 0 ? [] : ['its gates']),
  ];
  return what.length === 0 ? [] : [`No round began: what comes before round 1 (${what.join(' and ')}) took all of it.`];
}

/** The last checks of claims; those of rounds that a rollback made void tell nothing of what stands. */
export const checks = (run: RunView, which: 'refused' | 'all'): string[] =>
  checkTexts(
    standingChecks(run).filter(({ result, round, claimOf }) =>
      which === 'all' ? round > 0 || claimOf !== null : result === 'refused',
    ),
  ).slice(-MOST);

export const stillToDo = (handoff: Handoff | null): string[] =>
  handoff === null ? [] : handoff.nextSteps.slice(0, MOST).map((step) => `still to do: ${stepText(step)}`);

const stepText = (step: string): string =>
  shortened(step, step.includes('Its output ends:\n') ? OUTPUT_LINES : STEP_LINES);

/** A claim of completion that the end of the run left unchecked. */
export function uncheckedClaim(run: RunView): string[] {
  const last = run.rounds.at(-1);
  if (last === undefined || !isOpenClaim(last, run)) return [];
  return [`Round ${last.round} ${CLAIMS}, and that was not checked to its end.`];
}

export function used(run: RunView): string[] {
  const text = usedText(run);
  return text === null ? [] : [`It used ${text}.`];
}
