import type { RunMemo } from '../../schemas/loop/memo.ts';
import type { UnreleasedEnding } from '../../schemas/run/result.ts';
import type { ShownStatus } from './run-view.ts';

/** What Temporal says of a workflow, as far as a run's status depends on it. */
export type TemporalStatus = 'open' | 'completed' | 'failed' | 'cancelled' | 'terminated';

const FINAL = ['complete', 'blocked', 'budget-limited', 'stalled', 'stopped', 'round-failed', 'cancelled'] as const;
const isFinal = (status: string): status is (typeof FINAL)[number] => FINAL.some((each) => each === status);

const LIVE: readonly ShownStatus[] = ['starting', 'preparing', 'running', 'checking', 'waiting', 'paused'];
/** Whether a run goes on. One whose status is unknown may. */
export const isLive = (status: ShownStatus): boolean => LIVE.includes(status);

/**
 * A run's status from what is known: Temporal's word (null: not reachable, or forgotten), the memo, the ending on
 * disk. Temporal comes first; the disk speaks where Temporal cannot; where neither knows it is `unknown`.
 */
export function runStatus(known: {
  temporal: TemporalStatus | null;
  memo: RunMemo | null;
  ending: UnreleasedEnding | null;
}): ShownStatus {
  const { temporal, memo, ending } = known;
  switch (temporal) {
    case 'open':
      return memo === null ? 'running' : memo.status;
    case 'cancelled':
      return 'cancelled';
    case 'terminated':
      return 'terminated';
    case 'completed':
    case 'failed':
      if (ending !== null) return ending.status;
      if (memo !== null && isFinal(memo.status)) return memo.status;
      return temporal === 'failed' ? 'failed' : 'unknown';
    case null:
      return ending === null ? 'unknown' : ending.status;
    default:
      return temporal satisfies never;
  }
}
