import type { Fault, FaultCode } from '../../schemas/round/fault.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/** Doubles from `firstMs` with every fault in a row, up to `mostMs`. */
export interface Backoff {
  readonly firstMs: number;
  readonly mostMs: number;
}

/**
 * What a fault costs. `round`: an attempt of `roundAttempts`. `report`: one of `reportAttempts`. `transient`: nothing,
 * up to `MAX_TRANSIENT_FAULTS` in a row. `limit`: nothing, and the wait lasts until the stated reset. `final`: the run ends.
 * `fallback`: the agent is limited or down, so a fallback agent takes over at once, where there is one.
 */
export type FaultPolicy = { readonly fallback: boolean } & (
  | { readonly charge: 'round' | 'report' | 'transient' | 'limit'; readonly backoff: Backoff }
  | { readonly charge: 'final' }
);

/** Transient faults in a row at one round, after which the round has failed: about 24 hours of the longest backoff. */
export const MAX_TRANSIENT_FAULTS = 150;

/** Added to a stated reset, as clocks differ. */
export const RESET_MARGIN_MS = 5 * SECOND;

/** Most that is waited for a stated reset at a time; the longest real limits are weekly. */
export const LONGEST_WAIT_MS = 8 * 24 * 60 * MINUTE;

/** Most that is waited where two agents can be asked. */
export const MOST_BESIDE_FALLBACK_MS = 60 * MINUTE;

const atOnce: Backoff = { firstMs: 0, mostMs: 0 };
const shortly: Backoff = { firstMs: SECOND, mostMs: MINUTE };
const patiently: Backoff = { firstMs: 5 * SECOND, mostMs: 10 * MINUTE };
const untilReset: Backoff = { firstMs: MINUTE, mostMs: 60 * MINUTE };

export const faultPolicy = {
  'report-missing': { charge: 'report', backoff: atOnce, fallback: false },
  'report-invalid': { charge: 'report', backoff: atOnce, fallback: false },
  'report-oversized': { charge: 'report', backoff: atOnce, fallback: false },
  'agent-crashed': { charge: 'round', backoff: shortly, fallback: false },
  'agent-unavailable': { charge: 'final', fallback: false },
  'setup-failed': { charge: 'final', fallback: false },
  'round-timeout': { charge: 'round', backoff: atOnce, fallback: false },
  'idle-timeout': { charge: 'round', backoff: atOnce, fallback: false },
  'model-overloaded': { charge: 'transient', backoff: patiently, fallback: true },
  network: { charge: 'transient', backoff: patiently, fallback: false },
  'rate-limited': { charge: 'limit', backoff: untilReset, fallback: true },
  'usage-limited': { charge: 'limit', backoff: untilReset, fallback: true },
  'bad-credentials': { charge: 'final', fallback: false },
  'no-credit': { charge: 'final', fallback: true },
  refusal: { charge: 'final', fallback: false },
  'context-too-long': { charge: 'final', fallback: false },
  // Ends the run as `budget-limited`.
  'budget-spent': { charge: 'final', fallback: false },
  'usage-unknown': { charge: 'final', fallback: false },
  'disk-full': { charge: 'transient', backoff: patiently, fallback: false },
  'machine-short': { charge: 'transient', backoff: patiently, fallback: false },
  'workspace-broken': { charge: 'final', fallback: false },
  'disposal-unproved': { charge: 'final', fallback: false },
  'engine-error': { charge: 'final', fallback: false },
} as const satisfies Record<FaultCode, FaultPolicy>;

/**
 * Milliseconds to wait after the n-th fault in a row (n from 1): the doubled backoff, or down to half of it.
 * @param jitter from 0 (half) to 1 (whole)
 */
export function backoffMs({ firstMs, mostMs }: Backoff, n: number, jitter: number): number {
  return Math.round(Math.min(firstMs * 2 ** (n - 1), mostMs) * (0.5 + jitter / 2));
}

/** HTTP statuses of the 4xx range that say that the same request may be accepted later. */
const LATER: ReadonlySet<number> = new Set([408, 425, 429]);

/** Ids differ from request to request. */
const REQUEST_ID = /\b(?=[\w-]*\d)[\w-]{16,}\b/g;

/**
 * What a model's server rejected a request with for good, without the request's id: where a further attempt is rejected
 * with the same words, no attempt will help. Null: it was not rejected, may be accepted later, or met a limit.
 */
export function serverRejection({ code, message, status, resetAt }: Fault): string | null {
  if (status === undefined || status < 400 || status >= 500 || LATER.has(status)) return null;
  if (resetAt !== null || faultPolicy[code].charge === 'limit') return null;
  return `${status} ${message.replaceAll(REQUEST_ID, '')}`;
}
