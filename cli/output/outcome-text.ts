import type { Interruption } from '../../schemas/fault.ts';

const INTERRUPTIONS = {
  cancelled: 'cancelled',
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
