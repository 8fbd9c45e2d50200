import type { FaultCode } from '../schemas/fault.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/** Doubles from `firstMs` with every fault in a row, up to `mostMs`. */
export interface Backoff {
  readonly firstMs: number;
  readonly mostMs: number;
}

/**
 * What a fault costs. `round`: an attempt of `roundAttempts`. `report`: one of `reportAttempts`. `passing`: nothing,
 * up to `MAX_PASSING_FAULTS` in a row. `limit`: nothing, and the wait lasts until the stated reset. `final`: the run ends.
 */
export type FaultPolicy =
  | { readonly charge: 'round' | 'report' | 'passing' | 'limit'; readonly backoff: Backoff }
  | { readonly charge: 'final' };

/** Passing faults in a row at one round, after which the round has failed: about 24 hours of the longest backoff. */
export const MAX_PASSING_FAULTS = 150;

/** Added to a stated reset, as clocks differ. */
export const RESET_MARGIN_MS = 5 * SECOND;

/** Most that is waited for a stated reset at a time; the longest real limits are weekly. */
export const LONGEST_WAIT_MS = 8 * 24 * 60 * MINUTE;

const atOnce: Backoff = { firstMs: 0, mostMs: 0 };
const shortly: Backoff = { firstMs: SECOND, mostMs: MINUTE };
const patiently: Backoff = { firstMs: 5 * SECOND, mostMs: 10 * MINUTE };
const untilReset: Backoff = { firstMs: MINUTE, mostMs: 60 * MINUTE };

export const faultPolicy = {
  'report-missing': { charge: 'report', backoff: atOnce },
  'report-invalid': { charge: 'report', backoff: atOnce },
  'report-oversized': { charge: 'report', backoff: atOnce },
  'agent-crashed': { charge: 'round', backoff: shortly },
  'agent-unavailable': { charge: 'final' },
  'setup-failed': { charge: 'final' },
  'round-timeout': { charge: 'round', backoff: atOnce },
  'idle-timeout': { charge: 'round', backoff: atOnce },
  'model-overloaded': { charge: 'passing', backoff: patiently },
  network: { charge: 'passing', backoff: patiently },
  'rate-limited': { charge: 'limit', backoff: untilReset },
  'usage-limited': { charge: 'limit', backoff: untilReset },
  'bad-credentials': { charge: 'final' },
  'no-credit': { charge: 'final' },
  refusal: { charge: 'final' },
  'context-too-long': { charge: 'final' },
  'disk-full': { charge: 'passing', backoff: patiently },
  'workspace-broken': { charge: 'final' },
  'disposal-unproved': { charge: 'final' },
  'engine-error': { charge: 'final' },
} as const satisfies Record<FaultCode, FaultPolicy>;

/** Milliseconds to wait after the n-th fault in a row (n from 1). */
export function backoffMs({ firstMs, mostMs }: Backoff, n: number): number {
  return Math.min(firstMs * 2 ** (n - 1), mostMs);
}
