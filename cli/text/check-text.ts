import type { CheckLine, GateLine } from '../../client/view/run-view.ts';
import { duration } from './amounts.ts';
import { endAndStartAnew, missingNotes, saidLines } from './gate-notes.ts';
import type { Palette } from '../terminal/palette.ts';
import { printableLine } from '../terminal/printable.ts';

/** How a gate ended: "✓ npm test", "✗ npm test: exit code 1". */
export function gateText({ command, result, exitCode, timedOut, ms, changed }: GateLine): string {
  const name = printableLine(command);
  if (result === 'passed') return `✓ ${name}`;
  const how =
    changed.length > 0
      ? `changed what it may not (${changed.map((file) => printableLine(file)).join(', ')})`
      : timedOut
        ? `not at its end after ${duration(ms)}`
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

type Named = Pick<CheckLine, 'kind' | 'round' | 'claimOf' | 'number'>;

/** What was checked: "gates before round 1", "gates of round 3", "review of round 3 (2)", "gates of round 3 of demo". */
export function checkName(check: Named): string {
  return check.number === 1 ? checkedWhat(check) : `${checkedWhat(check)} (${check.number})`;
}

/** The same, whichever time it was. */
export function checkedWhat({ kind, round, claimOf }: Omit<Named, 'number'>): string {
  if (claimOf !== null) return `${kind} of round ${claimOf.round} of ${printableLine(claimOf.runId)}`;
  return kind === 'gates' && round === 0 ? 'gates before round 1' : `${kind} of round ${round}`;
}

const RESULTS = {
  baseline: 'run',
  passed: 'passed',
  accepted: 'accepted',
  refused: 'refused the claim',
  failed: 'could not be done',
  interrupted: 'interrupted, so nothing is known by it',
  'under-way': 'no result yet',
} as const satisfies Record<CheckLine['result'], string>;

/** A check in a line: what, the result, and why. */
export function checkText(check: CheckLine, paint: Palette): string {
  const { result, reasons, gates } = check;
  const name = checkName(check);
  if (result === 'baseline') return `${name}: ${gates.map(gateText).join('; ')}`;
  const excused = gates.filter((gate) => gate.result === 'excused').map(gateText);
  const why = [...reasons.map((reason) => printableLine(reason)), ...excused];
  return `${name}: ${colourOf(result, paint)(RESULTS[result])}${why.length === 0 ? '' : `: ${why.join('; ')}`}`;
}

export function colourOf(result: CheckLine['result'], paint: Palette): (text: string) => string {
  if (result === 'passed' || result === 'accepted') return paint.good;
  if (result === 'refused' || result === 'failed') return paint.bad;
  return paint.name;
}

const SIGNS = {
  baseline: '·',
  passed: '✓',
  accepted: '✓',
  refused: '✗',
  failed: '✗',
  interrupted: '!',
  'under-way': '·',
} as const satisfies Record<CheckLine['result'], string>;

/** The same in lines of its own in what follows a run, with what gates that failed said; none: nothing to tell yet. */
export function checkEvent(check: CheckLine, runId: string, paint: Palette): string[] {
  if (check.result === 'under-way') return [];
  const sign = colourOf(check.result, paint)(SIGNS[check.result]);
  const said = saidLines(check).map((line) => `    ${line}`);
  return [
    `${sign} ${checkText(check, paint)}`,
    ...said,
    ...missingNotes(check, endAndStartAnew(runId)).map((note) => `! ${note}`),
  ];
}
