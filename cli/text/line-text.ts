import type { EarlierRun, LineUse, RoundRow, RunView } from '../../client/view/run-view.ts';
import type { WayOn } from '../../client/resume/way-on.ts';
import { givesCommitsUp, type Rollback } from '../../schemas/run/rollback.ts';
import { cost, count, duration, refName, several, shortCommit } from './amounts.ts';
import { printableLine } from '../terminal/printable.ts';
import { resumeNext } from './resume-command.ts';

type Row = [name: string, value: string];

/** Which runs a run goes on from, which go on from it, and what all of them used. */
export function lineRows(run: RunView): Row[] {
  const { earlier, successors, lineUse, predecessor } = run;
  const rows: Row[] = [];
  if (earlier.length > 0) {
    rows.push(['Goes on from', earlier.map((each) => earlierText(each)).join(', ')]);
    if (lineUse !== null) rows.push(['All together', useText(lineUse)]);
  } else if (predecessor !== null) rows.push(['Goes on from', `${predecessor}, whose files are gone`]);
  if (successors.length > 0) rows.push(['Resumed as', resumedText(run)]);
  return rows;
}

function resumedText({ successors, lineEnd }: RunView): string {
  const all = successors.join(', ');
  if (lineEnd === null) return `${all}, which was rolled back to where it began`;
  const { runId, status } = lineEnd;
  return runId === successors.at(-1) ? `${all} (${status})` : `${all}; the line has come to ${runId} (${status})`;
}

const earlierText = ({ runId, status, rolledBack }: EarlierRun): string =>
  `${runId} (${status}${rolledBack.length === 0 ? '' : ', rolled back'})`;

function useText({ rounds, timeMs, tokens, costUsd, waitMs, estimated }: LineUse): string {
  const about = estimated ? '≈' : '';
  return [
    several(rounds, 'round'),
    `${about}${duration(timeMs)} of work`,
    ...(tokens > 0 ? [`${about}${count(tokens)} tokens`] : []),
    ...(costUsd > 0 ? [about + cost(costUsd)] : []),
    ...(waitMs > 0 ? [`${duration(waitMs)} of waiting`] : []),
  ].join(', ');
}

/** Where a run was taken back to, and where what came after is. */
export function rollbackRows(run: RunView): Row[] {
  const { rollback, rollbacks } = run;
  if (rollback === null) return [];
  const kept = rollbacks.map((each) => keptText(run, each)).toReversed();
  const look = givesCommitsUp(rollback) ? `\n(${lookAt(run, rollback)})` : '';
  return [['Rolled back', `to ${placeBack(rollback.to)}; ${kept.join('; ')}${look}`]];
}

const VOID = 'what came later is void, and used all the same';
/** What became of what the run did after that. */
export const sinceText = ({ rollback, rolledBack }: Pick<RunView, 'rollback' | 'rolledBack'>): string =>
  rollback !== null && !givesCommitsUp(rollback) && rolledBack.length === 0 ? 'nothing came after that' : VOID;
export const placeBack = (to: number): string => (to === 0 ? 'where it began' : `round ${to}`);

function lookAt({ folder }: RunView, { commit, keptAt, kept }: Rollback): string {
  const where = kept || folder === null ? '' : ` --git-dir ${folder}/repository.git`;
  return `git${where} log --stat ${commit.slice(0, 12)}..${keptAt}`;
}

/** Which rounds this rollback made void, those that one before it did not, and the ref that keeps them. */
function keptText({ rolledBack, rollbacks, runId }: RunView, rollback: Rollback): string {
  const { number, to, keptAt, kept } = rollback;
  const before = rollbacks.findLast((each) => each.number < number);
  const rows = rolledBack.filter(({ round }) => round > to && (before === undefined || round <= before.to));
  if (!givesCommitsUp(rollback)) return rows.length === 0 ? 'nothing came after that' : 'later rounds changed nothing';
  const text = `${roundsText(rows)} kept at ${keptAt}`;
  if (kept) return text;
  return `${text}, in the engine's repository alone, as yours was away (\`ralph rollback ${runId} --to ${to}\` or the next resume places it there)`;
}

function roundsText(rows: readonly RoundRow[]): string {
  const numbers = rows.map(({ round }) => round);
  if (numbers.length === 0) return 'what came after is';
  return numbers.length === 1 ? `round ${numbers[0]} is` : `rounds ${numbers[0]} to ${numbers.at(-1)} are`;
}

/** What `ralph rollback` did. */
export function rollbackLines(run: RunView, { rollback, way }: { rollback: Rollback; way: WayOn }): string[] {
  const { commit, ref, notes, to } = rollback;
  const where = ref === null ? '' : ` (${printableLine(refName(ref))})`;
  const [goOn] = resumeNext(run.runId, way, { what: '' });
  const look = [
    ...(givesCommitsUp(rollback) ? [`Look: ${lookAt(run, rollback)}`] : []),
    ...(goOn === undefined ? [] : [`Go on from there: ${goOn[0]}`]),
  ];
  return [
    `${run.runId} stands ${to === 0 ? '' : 'at '}${placeBack(to)} again: ${shortCommit(commit)}${where}; ${keptText(run, rollback)}.`,
    ...notes.map((note) => `Note: ${printableLine(note)}`),
    ...(look.length > 0 ? [look.join('   ')] : []),
  ];
}
