import type { Interruption } from '../../schemas/round/fault.ts';

const INTERRUPTIONS = {
  cancelled: 'cancelled',
  paused: 'paused',
  disowned: 'taken back',
  'worker-stopped': 'worker-stopped',
  'worker-lost': 'worker-lost',
  unrecorded: 'not recorded (disk full)',
} as const satisfies Record<Interruption, string>;

const isInterruption = (outcome: string): outcome is Interruption => Object.hasOwn(INTERRUPTIONS, outcome);

/** How an attempt or a round ended, for people: in the engine's own word where that says enough. */
export function outcomeText(outcome: string): string {
  return isInterruption(outcome) ? INTERRUPTIONS[outcome] : outcome;
}

const CUT_SHORT = {
  cancelled: 'cut short by the cancel',
  paused: 'cut short by a pause',
  disowned: 'cut short, as it was taken back',
  'worker-stopped': 'cut short, as its worker was stopped',
  'worker-lost': 'cut short, as its worker was lost',
  unrecorded: 'not recorded, as the disk was full',
} as const satisfies Record<Interruption, string>;

/** In words what ended a round from outside; null: nothing did. */
export const cutShort = (outcome: string): string | null => (isInterruption(outcome) ? CUT_SHORT[outcome] : null);

const REASONS = {
  cancelled: 'the run was cancelled',
  paused: 'the run was paused in mid-round; the round is attempted again when it is resumed',
  disowned: 'the run was terminated, or another attempt took over',
  'worker-stopped':
    'the worker was stopped (ralph down, or a signal); the next one attempts the round again, unless the run is ended before',
  'worker-lost': 'the worker was killed, or the machine went down; what the agent had done by then is committed',
  unrecorded: "how it ended could not be written down, as the disk was full; Temporal's history has it",
} as const satisfies Record<Interruption, string>;

/** What ended an attempt from outside, in a sentence. */
export const interruptionReason = (by: Interruption): string => REASONS[by];
