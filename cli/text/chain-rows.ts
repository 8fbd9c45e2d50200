import { refName, several, shortCommit } from '../../client/describe/amounts.ts';
import { placeText, resumeNext } from '../../client/describe/chain-words.ts';
import { usedText } from '../../client/describe/spend-words.ts';
import type { ResumeAdvice } from '../../client/resume/resume-advice.ts';
import type { RoundRow } from '../../client/view/round-view.ts';
import {
  type PreviousRun,
  rolledBackRounds,
  type RollbackView,
  rollbackInForce,
  type RunView,
} from '../../client/view/run-view.ts';
import { givesCommitsUp } from '../../schemas/run/gives-commits-up.ts';
import type { Rollback } from '../../schemas/run/rollback.ts';
import { printableLine } from '../../system/printable.ts';

type Row = [name: string, value: string];

/** Which runs a run continues, which continue it, and what all of them used. */
export function chainRows({ chain }: RunView): Row[] {
  const { previous, continues, continued, spend } = chain;
  const rows: Row[] = [];
  if (previous.length > 0) {
    rows.push(['Continues', previous.map((each) => previousText(each)).join(', ')]);
    const used = usedText(spend);
    if (used !== null && spend.kind === 'known') rows.push(['In all', `${several(spend.rounds, 'round')}, ${used}`]);
  } else if (continues !== null) rows.push(['Continues', `${continues}, whose files are not here`]);
  switch (continued.kind) {
    case 'none':
      return rows;
    case 'rolled-back':
      return [...rows, ['Continued as', `${continued.as.join(', ')}, which was rolled back to its beginning`]];
    case 'continued': {
      const { as, last } = continued;
      const ids = as.join(', ');
      const text =
        last.runId === as.at(-1)
          ? `${ids} (${last.status})`
          : `${ids}; the last run of the chain is ${last.runId} (${last.status})`;
      return [...rows, ['Continued as', text]];
    }
    default:
      return continued satisfies never;
  }
}

const previousText = ({ runId, status, rolledBack }: PreviousRun): string =>
  `${runId} (${status}${rolledBack.length === 0 ? '' : ', rolled back'})`;

/** Where a run was rolled back to, and where what came after is. */
export function rollbackRows(run: RunView): Row[] {
  const back = rollbackInForce(run.rollback);
  if (back === null) return [];
  const kept = madeWhole(run.rollback).map((each) => keptText(run, each));
  const look = givesCommitsUp(back) ? `\n(${lookAt(run, back)})` : '';
  return [['Rolled back', `to ${placeText(back.to)}; ${kept.toReversed().join('; ')}${look}`]];
}

const madeWhole = (rollback: RollbackView): readonly Rollback[] =>
  rollback.kind === 'none' ? [] : rollback.kind === 'done' ? rollback.all : rollback.before;

function lookAt({ folder }: RunView, { commit, keptAt, kept }: Rollback): string {
  const where = kept || folder === null ? '' : ` --git-dir ${folder}/repository.git`;
  return `git${where} log --stat ${commit.slice(0, 12)}..${keptAt}`;
}

/** Which rounds this rollback discarded that one before it did not, and the ref that keeps them. */
function keptText(run: RunView, rollback: Rollback): string {
  const { number, to, keptAt, kept } = rollback;
  const before = madeWhole(run.rollback).findLast((each) => each.number < number);
  const rows = rolledBackRounds(run.rollback).filter(
    ({ round }) => round > to && (before === undefined || round <= before.to),
  );
  if (!givesCommitsUp(rollback)) return rows.length === 0 ? 'nothing came after it' : 'later rounds changed nothing';
  const text = `${discardedRounds(rows)} kept at ${keptAt}`;
  if (kept) return text;
  return `${text}, only in the engine's repository because yours was missing (\`ralph rollback ${run.runId} --to ${to}\` or the next resume adds it)`;
}

function discardedRounds(rows: readonly RoundRow[]): string {
  const numbers = rows.map(({ round }) => round);
  if (numbers.length === 0) return 'what came after is';
  return numbers.length === 1 ? `round ${numbers[0]} is` : `rounds ${numbers[0]} to ${numbers.at(-1)} are`;
}

/** What `ralph rollback` did. */
export function rollbackLines(
  run: RunView,
  { rollback, advice }: { rollback: Rollback; advice: ResumeAdvice },
): string[] {
  const { commit, ref, notes, to } = rollback;
  const where = ref === null ? '' : ` (${printableLine(refName(ref))})`;
  const [next] = resumeNext(run.runId, advice, { what: '', note: false });
  const look = [
    ...(givesCommitsUp(rollback) ? [`Show: ${lookAt(run, rollback)}`] : []),
    ...(next === undefined ? [] : [`Continue from there: ${next.command}`]),
  ];
  return [
    `${run.runId} is back at ${placeText(to)}: ${shortCommit(commit)}${where}; ${keptText(run, rollback)}.`,
    ...notes.map((note) => `Note: ${printableLine(note)}`),
    ...(look.length > 0 ? [look.join('   ')] : []),
  ];
}
