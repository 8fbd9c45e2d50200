import { printableLine } from '../../system/printable.ts';
import { gatesOf } from '../view/round-view.ts';
import { missing } from '../view/telling-line.ts';
import type { CheckOutcome, CheckRow, GateLine } from '../view/round-view.ts';
import { duration } from './amounts.ts';

// How gates, reviews and their results are called, in every place that shows one.

/** How a gate ended: "✓ npm test", "✗ npm test: exit code 1". */
export function gateText({ command, result, exitCode, timedOut, ms, changed }: GateLine): string {
  const name = printableLine(command);
  if (result === 'passed') return `✓ ${name}`;
  const how =
    changed.length > 0
      ? `changed files that it must not change (${changed.map((file) => printableLine(file)).join(', ')})`
      : timedOut
        ? `timed out after ${duration(ms)}`
        : exitCode === null
          ? 'ended by a signal'
          : exitText(exitCode);
  return `✗ ${name}: ${how}${result === 'excused' ? ', as before round 1' : ''}`;
}

/** A shell's own codes are named: a gate that does not exist can never pass. */
function exitText(exitCode: number): string {
  if (exitCode === 127) return 'exit code 127, command not found';
  return exitCode === 126 ? 'exit code 126, cannot be executed' : `exit code ${exitCode}`;
}

type Named = Pick<CheckRow, 'check' | 'round' | 'claimOf' | 'number'>;

/** What was checked: "gates before round 1", "gates of round 3", "review of round 3 (2)", "gates of round 3 of demo". */
export function checkName(row: Named): string {
  return row.number === 1 ? checkedWhat(row) : `${checkedWhat(row)} (${row.number})`;
}

/** The same, whichever time it was. */
export function checkedWhat({ check, round, claimOf }: Omit<Named, 'number'>): string {
  if (claimOf !== null) return `${check} of round ${claimOf.round} of ${printableLine(claimOf.runId)}`;
  return check === 'gates' && round === 0 ? 'gates before round 1' : `${check} of round ${round}`;
}

const RESULTS = {
  baseline: 'done',
  accepted: 'passed',
  rejected: 'rejected the completion claim',
  failed: 'could not be completed',
  interrupted: 'interrupted, so there is no result',
  'under-way': 'no result yet',
} as const satisfies Record<CheckOutcome['kind'], string>;

/** The result of a check in a few words. */
const resultText = ({ check, outcome }: Pick<CheckRow, 'check' | 'outcome'>): string =>
  check === 'review' && outcome.kind === 'accepted' ? 'accepted' : RESULTS[outcome.kind];

/** A check in a line: what, the result, and why. @param paint colours the result */
export function checkText(row: CheckRow, paint: (text: string) => string = (text) => text): string {
  const { outcome } = row;
  const name = checkName(row);
  if (outcome.kind === 'baseline') return `${name}: ${outcome.gates.map(gateText).join('; ')}`;
  const excused = gatesOf(row)
    .filter((gate) => gate.result === 'excused')
    .map(gateText);
  const why = [...reasonsOf(outcome).map((reason) => printableLine(reason)), ...excused];
  return `${name}: ${paint(resultText(row))}${why.length === 0 ? '' : `: ${why.join('; ')}`}`;
}

function reasonsOf(outcome: CheckOutcome): readonly string[] {
  if (outcome.kind === 'rejected') return outcome.reasons;
  return outcome.kind === 'failed' ? [outcome.reason] : [];
}

/** Checks in a line each, those in a row that say the same in one: "gates of rounds 1–5: rejected …". */
export function checkTexts(rows: readonly CheckRow[]): string[] {
  const groups: { said: string; of: CheckRow[] }[] = [];
  for (const row of rows) {
    const said = checkText(row).slice(checkName(row).length);
    const last = groups.at(-1);
    const isSame = last !== undefined && last.said === said && last.of[0]?.check === row.check;
    if (isSame && [...last.of, row].every(({ claimOf }) => claimOf === null)) last.of.push(row);
    else groups.push({ said, of: [row] });
  }
  return groups.map(({ said, of }) => nameOf(of) + said);
}

function nameOf(rows: readonly CheckRow[]): string {
  const [first] = rows;
  if (first === undefined) return '';
  const rounds = [...new Set(rows.map(({ round }) => round))];
  if (rounds.length === 1) return checkName(rows.at(-1) ?? first);
  const inARow = rounds.every((round, i) => round === first.round + i);
  return `${first.check} of rounds ${inARow ? `${first.round}–${rounds.at(-1)}` : rounds.join(', ')}`;
}

/** Of each gate that failed, the line of its output that tells most: "npm test: 2 of 48 tests failed". */
export function saidLines(gates: readonly GateLine[]): string[] {
  return gates.flatMap(({ command, result, said }) =>
    result === 'failed' && said !== null ? [`${printableLine(command)}: ${printableLine(said)}`] : [],
  );
}

/** Gates that failed because what they run is not there: no work on the objective turns them green. `out`: what to do. */
export function missingNotes(gates: readonly GateLine[], out: string): string[] {
  return gates.flatMap((gate) => {
    const what = missing(gate);
    if (what === null) return [];
    return [
      `gate "${printableLine(gate.command)}": ${what}. No completion claim can pass unless a round adds it. ${out}`,
    ];
  });
}

/** While the run is live. */
export const cancelAndStartNew = (runId: string): string =>
  `If this is a mistake, run \`ralph cancel ${runId}\` and start a new run: the gates of a run are fixed.`;
export const START_NEW = 'If this is a mistake, start a new run: a follow-up has the same gates.';
