import { isDisposalUnproved, type Phase, type ShownStatus, statusOf } from '../client/view/run-view.ts';

export const OK = 0;
export const INTERNAL = 1;
/** Of `search`: everything was searched, and nothing found. */
export const NOTHING_FOUND = 5;
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
    case 'ending':
      return INTERNAL;
    default:
      return status satisfies never;
  }
}

/** Exit code of `run` and `watch` for a run that has ended. */
export function exitCodeOf(phase: Phase): number {
  return isDisposalUnproved(phase) ? DISPOSAL_UNPROVED : ofStatus(statusOf(phase));
}
