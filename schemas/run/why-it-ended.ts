import type { UnreleasedEnding } from './result.ts';

/** Why a run ended, in one line; null: nobody said. */
export function whyItEnded(ending: UnreleasedEnding): string | null {
  switch (ending.status) {
    case 'complete':
      return `${ending.verification}: ${ending.report.summary}`;
    case 'blocked':
      return ending.report.blocker;
    case 'budget-limited':
      return ending.reason;
    case 'stopped':
      return 'stopped, as asked';
    case 'stalled':
    case 'cancelled':
      return ending.reason;
    case 'round-failed':
      return `${ending.fault.code}: ${ending.fault.message}`;
    default:
      return ending satisfies never;
  }
}
