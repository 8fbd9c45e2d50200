import type { EarlierRun, LineUse, RoundRow, RunView } from '../../client/run-view.ts';
import type { Rollback } from '../../schemas/rollback.ts';
import { cost, count, duration, refName, several, shortCommit } from './amounts.ts';
import { printableLine } from './printable.ts';

type Row = [name: string, value: string];

/** Which runs a run goes on from, which go on from it, and what all of them used. */
export function lineRows(run: RunView): Row[] {
  const { earlier, successors, lineUse, predecessor } = run;
  const rows: Row[] = [];
  if (earlier.length > 0) {
    rows.push(['Goes on from', earlier.map((each) => earlierText(each)).join(', ')]);
    if (lineUse !== null) rows.push(['All together', useText(lineUse)]);
  } else if (predecessor !== null) rows.push(['Goes on from', `${predecessor}, whose files are gone`]);
  if (successors.length > 0) rows.push(['Resumed as', successors.join(', ')]);
  return rows;
}

const earlierText = ({ runId, status, rolledBack }: EarlierRun): string =>
  `${runId} (${status}${rolledBack.length === 0 ? '' : ', rolled back'})`;

function useText({ rounds, timeMs, tokens, costUsd, waitMs, estimated }: LineUse): string {
  const about = estimated ? '≈' : '';
  return [
    several(rounds, 'round'),
    `${duration(timeMs)} of work`,
    ...(tokens > 0 ? [`${about}${count(tokens)} tokens`] : []),
    ...(costUsd > 0 ? [about + cost(costUsd)] : []),
    ...(waitMs > 0 ? [`${duration(waitMs)} of waiting`] : []),
  ].join(', ');
}

/** Where a run was taken back to, and where what came after is. */
export function rollbackRows(run: RunView): Row[] {
  return run.rollback === null || !run.rollback.done ? [] : [['Rolled back', backText(run, run.rollback)]];
}

function backText({ rolledBack }: RunView, rollback: Rollback): string {
  const { to, keptAt } = rollback;
  return `to ${place(to)}; ${roundsText(rolledBack)} kept at ${keptAt}\n(${lookAt(rollback)})`;
}

const place = (to: number): string => (to === 0 ? 'where it began' : `round ${to}`);
const lookAt = ({ commit, keptAt }: Rollback): string => `git log --stat ${commit.slice(0, 12)}..${keptAt}`;

function roundsText(rows: readonly RoundRow[]): string {
  const numbers = rows.map(({ round }) => round);
  if (numbers.length === 0) return 'what came after is';
  return numbers.length === 1 ? `round ${numbers[0]} is` : `rounds ${numbers[0]} to ${numbers.at(-1)} are`;
}

/** What `ralph rollback` did. */
export function rollbackLines(run: RunView, rollback: Rollback): string[] {
  const { commit, ref, keptAt, notes, to } = rollback;
  const where = ref === null ? '' : ` (${printableLine(refName(ref))})`;
  return [
    `${run.runId} stands at ${place(to)} again: ${shortCommit(commit)}${where}; ${roundsText(run.rolledBack)} kept at ${keptAt}.`,
    ...notes.map((note) => `Note: ${printableLine(note)}`),
    `Look: ${lookAt(rollback)}   Go on from there: ralph resume ${run.runId}`,
  ];
}
