import type { TemporalRun } from '../../client/temporal-run.ts';
import { clock, elapsed } from './amounts.ts';
import { printableLine } from './printable.ts';
import { progressLine } from './round-line.ts';

export interface FollowText {
  readonly live: string;
  readonly change: string | null;
}

/**
 * Where a run stands, in two shapes: `live`, a line that is drawn again as time passes, and `change`, a line that is
 * the same until something happens, for output that cannot be redrawn (null: nothing happened).
 */
export function followText(run: TemporalRun, now: number): FollowText {
  const { memo, progress } = run;
  if (memo === null) return same('running');
  switch (memo.status) {
    case 'starting':
      return same('starting');
    case 'preparing':
      return same('preparing the workspace');
    case 'checking':
      return same(`round ${memo.round}: ${memo.why === null ? 'checking' : printableLine(memo.why)}`);
    case 'paused':
      return same(memo.why === null ? 'paused' : `paused: ${printableLine(memo.why)}`);
    case 'waiting': {
      const why = memo.why === null ? '' : `: ${printableLine(memo.why)}`;
      if (memo.until === null) return same(`waiting${why}`);
      const left = elapsed(Date.parse(memo.until) - now);
      return { live: `waiting, ${left} left${why}`, change: `waiting until ${clock(memo.until, now)}${why}` };
    }
    case 'running': {
      const name = `round ${memo.round} of ${memo.maxRounds}`;
      if (progress === null || progress.round !== memo.round) return { live: name, change: null };
      const attempt = progress.attempt > 1 ? `, attempt ${progress.attempt}` : '';
      return { live: progressLine(progress, { maxRounds: memo.maxRounds, now }), change: `${name}${attempt}  started` };
    }
    case 'complete':
    case 'blocked':
    case 'budget-limited':
    case 'stalled':
    case 'stopped':
    case 'round-failed':
    case 'cancelled':
      return same('ending');
    default:
      return memo.status satisfies never;
  }
}

const same = (text: string): FollowText => ({ live: text, change: text });
