import type { RoundProgress } from '../../schemas/round/round-input.ts';
import type { Changes } from '../../schemas/round/round.ts';
import type { AttemptLine } from '../../client/view/run-view.ts';
import { count, duration, elapsed, several } from '../text/amounts.ts';
import { CLAIMS } from '../text/claim-text.ts';
import { outcomeText } from '../text/outcome-text.ts';
import type { Palette } from '../terminal/palette.ts';
import { printableLine } from '../terminal/printable.ts';
import { statusColour } from '../terminal/status-colour.ts';
import { fit } from '../terminal/width.ts';

/** "12 files +120 −80", "no changes", or null where it is not known. */
export function changesText(changes: Changes | null): string | null {
  if (changes === null) return null;
  if (changes.files === 0) return 'no changes';
  return `${several(changes.files, 'file')} +${changes.insertions} −${changes.deletions}`;
}

/** Signs that need no colour. */
function sign(outcome: string): string {
  if (outcome === 'complete') return '·';
  if (outcome === 'continue') return '✓';
  return ['blocked', 'paused', 'worker-stopped', 'worker-lost', 'disowned', 'unrecorded'].includes(outcome) ? '!' : '✗';
}

/** One line for an attempt that ended: status, duration, files and lines changed, summary. Null width: not cut. */
export function attemptLine(line: AttemptLine, how: { width: number | null; paint: Palette }): string {
  const { width, paint } = how;
  const isClaim = line.outcome === 'complete';
  const colour = statusColour(isClaim ? 'claimed' : line.outcome, paint);
  const by = line.agent === null ? '' : ` by ${printableLine(line.agent)}`;
  const name = `round ${line.round}` + (line.attempt > 1 ? `, attempt ${line.attempt}` : '') + by;
  const facts = [
    isClaim ? CLAIMS : outcomeText(line.outcome),
    duration(Date.parse(line.endedAt) - Date.parse(line.startedAt)),
    changesText(line.changes) ?? 'changes unknown',
  ];
  const head = `${sign(line.outcome)} ${name}  ${facts.join('  ')}  `;
  const summary = printableLine(line.summary);
  const shown = width === null ? summary : fit(summary, Math.max(20, width - head.length));
  const [outcome, ...rest] = facts;
  return `${colour(sign(line.outcome))} ${paint.strong(name)}  ${colour(outcome ?? '')}  ${paint.faint(rest.join('  '))}${shown === '' ? '' : `  ${shown}`}`;
}

const PHASES = {
  fencing: 'starting',
  agent: 'the agent is at work',
  checkpointing: 'committing the work',
} as const satisfies Record<RoundProgress['phase'], string>;

/** The round under way in one line: number, elapsed, the agent's last activity, tokens. */
export function progressLine(progress: RoundProgress, how: { maxRounds: number | null; now: number }): string {
  const of = how.maxRounds === null ? '' : ` of ${how.maxRounds}`;
  const attempt = progress.attempt > 1 ? `, attempt ${progress.attempt}` : '';
  const doing = progress.phase === 'agent' && progress.activity !== null ? progress.activity : PHASES[progress.phase];
  const parts = [
    `round ${progress.round}${of}${attempt}`,
    elapsed(how.now - Date.parse(progress.startedAt)),
    progress.tokens === null ? null : `${count(progress.tokens)} tokens`,
    printableLine(doing),
  ];
  return parts.filter((part) => part !== null).join('  ');
}
