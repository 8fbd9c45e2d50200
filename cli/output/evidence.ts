import type { RoundRow, RunView } from '../../client/run-view.ts';
import type { Handoff } from '../../schemas/report.ts';
import { several } from './amounts.ts';
import { checkText } from './check-text.ts';
import { outcomeText } from './outcome-text.ts';
import { palette } from './palette.ts';
import { usedText } from './spent-text.ts';
import { standingChecks } from './standing-checks.ts';

// What `ralph why` goes by, in lines.

const plain = palette(false);
export const MOST = 5;

export const roundText = ({ round, attempts, status, summary }: RoundRow): string =>
  `round ${round}${attempts > 1 ? `, ${several(attempts, 'attempt')}` : ''}: ${outcomeText(status)}${summary === null || summary === '' ? '' : `: ${summary}`}`;

export const lastRounds = ({ rounds }: RunView, most: number): string[] => rounds.slice(-most).map(roundText);

/** The last checks of claims; those of rounds that a rollback made void tell nothing of what stands. */
export const checks = (run: RunView, which: 'refused' | 'all'): string[] =>
  standingChecks(run)
    .filter(({ result, round }) => (which === 'all' ? round > 0 : result === 'refused'))
    .slice(-MOST)
    .map((check) => checkText(check, plain));

export const stillToDo = (handoff: Handoff | null): string[] =>
  handoff === null ? [] : handoff.nextSteps.slice(0, MOST).map((step) => `still to do: ${step}`);

/** A claim of completion that the end of the run left unchecked. */
export function uncheckedClaim({ rounds }: RunView): string[] {
  const last = rounds.at(-1);
  if (last === undefined || last.status !== 'complete' || last.refused !== null) return [];
  return [`Round ${last.round} reported completion, and that was not checked to its end.`];
}

export function used(run: RunView): string[] {
  const text = usedText(run);
  return text === null ? [] : [`It used ${text}.`];
}
