import { duration } from '../../client/describe/amounts.ts';
import { changesText, CLAIMS, outcomeWord } from '../../client/describe/round-words.ts';
import { type AttemptLine, outcomeOf } from '../../client/view/round-rows.ts';
import type { RoundOutcome } from '../../client/view/round-view.ts';
import { printableLine } from '../../system/printable.ts';
import { type Palette, statusColour } from '../terminal/palette.ts';
import { fit } from '../../client/describe/width.ts';

/** One line for an attempt that ended: status, duration, files and lines changed, summary. Null width: not cut. */
export function attemptLine(line: AttemptLine, how: { width: number | null; paint: Palette }): string {
  const { width, paint } = how;
  const outcome = outcomeOf(line.outcome, { kind: 'pending' });
  const colour = statusColour(outcomeWord(outcome), paint);
  const by = line.agent === null ? '' : ` by ${printableLine(line.agent)}`;
  const name = `round ${line.round}` + (line.attempt > 1 ? `, attempt ${line.attempt}` : '') + by;
  const facts = [
    outcome.kind === 'complete' ? CLAIMS : outcomeWord(outcome),
    duration(Date.parse(line.endedAt) - Date.parse(line.startedAt)),
    changesText(line.changes) ?? 'changes unknown',
  ];
  const head = `${sign(outcome)} ${name}  ${facts.join('  ')}  `;
  const summary = printableLine(line.summary);
  const shown = width === null ? summary : fit(summary, Math.max(20, width - head.length));
  const [status, ...rest] = facts;
  return `${colour(sign(outcome))} ${paint.strong(name)}  ${colour(status ?? '')}  ${paint.faint(rest.join('  '))}${shown === '' ? '' : `  ${shown}`}`;
}

/** Signs that need no colour. */
function sign(outcome: RoundOutcome): string {
  switch (outcome.kind) {
    case 'continue':
      return '✓';
    case 'complete':
      return '·';
    case 'blocked':
      return '!';
    case 'fault':
      return '✗';
    case 'interrupted':
      return outcome.by === 'cancelled' ? '✗' : '!';
    default:
      return outcome satisfies never;
  }
}
