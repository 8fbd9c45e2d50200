import type { TemporalRun } from '../../client/view/temporal-run.ts';
import type { CheckProgress } from '../../schemas/round/round-progress.ts';
import type { RunMemo } from '../../schemas/loop/memo.ts';
import { clock, count, elapsed } from '../../client/describe/amounts.ts';
import { printableLine } from '../../system/printable.ts';
import { progressText } from '../../client/describe/round-words.ts';
import { fit } from '../../client/describe/width.ts';

/** A fault can quote a whole stack. */
const WHY_COLUMNS = 160;

export interface FollowText {
  readonly live: string;
  readonly change: string | null;
}

/**
 * Where a run stands, in two shapes: `live`, a line that is drawn again as time passes, and `change`, a line that is
 * the same until something happens, for output that cannot be redrawn (null: nothing happened).
 */
export function followText(run: TemporalRun, now: number): FollowText {
  const { memo, progress, check } = run;
  if (memo === null) return same('running');
  switch (memo.status) {
    case 'starting':
      return same('starting');
    case 'preparing':
      return same('preparing the workspace');
    case 'checking':
      return checking(memo, check !== null && check.round === memo.round ? check : null, now);
    case 'paused':
      return same(`paused; \`ralph resume ${run.runId}\` resumes it`);
    case 'waiting': {
      const why = memo.why === null ? '' : `: ${fit(printableLine(memo.why), WHY_COLUMNS)}`;
      if (memo.until === null) return same(`waiting${why}`);
      const left = elapsed(Date.parse(memo.until) - now);
      return { live: `waiting, ${left} left${why}`, change: `waiting until ${clock(memo.until, now)}${why}` };
    }
    case 'running': {
      const name = `round ${memo.round} of ${memo.maxRounds}`;
      if (progress === null || progress.round !== memo.round) return { live: name, change: null };
      const attempt = progress.attempt > 1 ? `, attempt ${progress.attempt}` : '';
      return { live: progressText(progress, { maxRounds: memo.maxRounds, now }), change: `${name}${attempt}  started` };
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

/** The command under way, or what a reviewer does, is not worth a line. */
function checking(memo: RunMemo, check: CheckProgress | null, now: number): FollowText {
  const what = memo.why === null ? 'checking' : printableLine(memo.why);
  const name = memo.round === 0 ? what : `round ${memo.round}: ${what}`;
  if (check === null) return same(name);
  const doing = check.activity === null ? null : printableLine(check.activity);
  const tokens = check.tokens === null ? null : `${count(check.tokens)} tokens`;
  const parts = [name, elapsed(now - Date.parse(check.startedAt)), tokens, doing];
  return {
    live: parts.filter((part) => part !== null).join('  '),
    change: name,
  };
}

const same = (text: string): FollowText => ({ live: text, change: text });
