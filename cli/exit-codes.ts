import { isDisposalUnproved } from '../client/view/is-disposal-unproved.ts';
import type { RunView, ShownStatus } from '../client/view/run-view.ts';

const OK = 0;
const INTERNAL = 1;
export const DISPOSAL_UNPROVED = 16;

function ofStatus(status: ShownStatus): number {
  switch (status) {
    case 'complete':
      return OK;
    case 'blocked':
      return 10;
    case 'budget-limited':
      return 11;
    case 'stalled':
      return 12;
    case 'round-failed':
      return 13;
    case 'cancelled':
      return 14;
    case 'terminated':
      return 15;
    case 'stopped':
      return 17;
    case 'failed':
    case 'unknown':
    case 'starting':
    case 'preparing':
    case 'running':
    case 'checking':
    case 'waiting':
    case 'paused':
      return INTERNAL;
    default:
      return status satisfies never;
  }
}

/** Whether a run has ended, as far as is known: one whose status is unknown may go on. */
export function hasEnded(status: ShownStatus): boolean {
  return status !== 'unknown' && (status === 'failed' || ofStatus(status) !== INTERNAL);
}

/** Exit code of `run` and `watch` for a run that has ended. */
export function exitCodeOf(run: Pick<RunView, 'status' | 'receipt' | 'ending'>): number {
  return isDisposalUnproved(run) ? DISPOSAL_UNPROVED : ofStatus(run.status);
}
