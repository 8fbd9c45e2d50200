import type { RoundOutcome, RoundRow } from '../../../client/view/round-view.ts';
import type { ShownStatus } from '../../../client/view/run-view.ts';

/** What a state means to a reader; each has a colour and a shape, so that colour is never the only sign. */
export type Tone = 'go' | 'good' | 'warn' | 'bad' | 'idle' | 'plain';

export function toneOfStatus(status: ShownStatus): Tone {
  switch (status) {
    case 'starting':
    case 'preparing':
    case 'running':
    case 'checking':
    case 'ending':
      return 'go';
    case 'complete':
      return 'good';
    case 'waiting':
    case 'blocked':
    case 'budget-limited':
    case 'stalled':
      return 'warn';
    case 'paused':
    case 'stopped':
    case 'cancelled':
    case 'unknown':
      return 'idle';
    case 'round-failed':
    case 'terminated':
    case 'failed':
      return 'bad';
    default:
      return status satisfies never;
  }
}

export function toneOfRound(row: RoundRow): Tone {
  return row.kind === 'running' ? 'go' : toneOfOutcome(row.outcome);
}

export function toneOfOutcome(outcome: RoundOutcome): Tone {
  switch (outcome.kind) {
    case 'continue':
      return 'plain';
    case 'blocked':
      return 'warn';
    case 'complete':
      return outcome.verdict.kind === 'accepted' ? 'good' : outcome.verdict.kind === 'rejected' ? 'warn' : 'go';
    case 'fault':
      return 'bad';
    case 'interrupted':
      return 'idle';
    default:
      return outcome satisfies never;
  }
}
