import type { Fault, FaultCode } from '../schemas/round/fault.ts';
import type { Tally } from '../schemas/loop/loop.ts';
import type { Limits } from '../schemas/run/run.ts';
import {
  backoffMs,
  faultPolicy,
  LONGEST_WAIT_MS,
  MAX_PASSING_FAULTS,
  MOST_BESIDE_FALLBACK_MS,
  RESET_MARGIN_MS,
  type FaultPolicy,
} from './fault-policy.ts';

type Charge = Exclude<FaultPolicy['charge'], 'final'>;

/**
 * What follows an attempt that failed. `refusal`: what the next agent is told about the report that was refused.
 * `fallback`: whether the fallback agent makes the next attempt.
 */
export type AfterFault =
  | {
      readonly kind: 'attempt-again';
      readonly tally: Tally;
      readonly delayMs: number;
      readonly refusal: string | null;
      readonly fallback: boolean;
      /** Until when the run's own agent is limited, where the fallback agent is at work. */
      readonly ownUntil: string | null;
    }
  | { readonly kind: 'fail' };

/** What a decision goes by. */
export interface FaultContext {
  readonly tally: Tally;
  readonly limits: Limits;
  /** The workflow's clock, in milliseconds since the epoch. */
  readonly now: number;
  /** From 0 to 1: spreads the attempts of many runs. */
  readonly jitter: number;
  /** `idle`: there is one; `at-work`: it made the attempt that failed. */
  readonly fallback: 'none' | 'idle' | 'at-work';
  /** Until when the run's own agent is limited, where the fallback agent is at work; null: not known. */
  readonly ownUntil: string | null;
}

export function decideAfterFault(fault: Fault, context: FaultContext): AfterFault {
  const { tally, limits, now, jitter, fallback } = context;
  const policy: FaultPolicy = faultPolicy[fault.code];
  if (policy.fallback && fallback === 'idle') {
    const ownUntil = policy.charge === 'final' ? null : fault.resetAt;
    return { kind: 'attempt-again', tally, delayMs: 0, refusal: null, fallback: true, ownUntil };
  }
  const ownAgain = { fallback: false, ownUntil: null, refusal: null } as const;
  if (policy.charge === 'final') {
    // What the one that stands in cannot do is no end of a run whose own agent only has to wait.
    if (fallback !== 'at-work' || !OF_THE_AGENT.has(fault.code)) return { kind: 'fail' };
    if (context.ownUntil === null) return { kind: 'fail' };
    return { kind: 'attempt-again', tally, delayMs: msUntil(context.ownUntil, now), ...ownAgain };
  }
  const next: Tally = {
    round: tally.round + (policy.charge === 'round' ? 1 : 0),
    report: tally.report + (policy.charge === 'report' ? 1 : 0),
    inARow: tally.lastCharge === policy.charge ? tally.inARow + 1 : 1,
    lastCharge: policy.charge,
  };
  if (spent(policy.charge, next, limits)) return { kind: 'fail' };
  const backoff = backoffMs(policy.backoff, next.inARow, jitter);
  // A limit that is said again at its own end, by a clock that is behind, is not asked every few seconds.
  const atLeast = next.inARow === 1 ? 0 : backoff;
  const delay = fault.resetAt === null ? backoff : Math.max(msUntil(fault.resetAt, now), atLeast);
  if (fallback === 'at-work' && policy.fallback) {
    const own = context.ownUntil === null ? MOST_BESIDE_FALLBACK_MS : msUntil(context.ownUntil, now);
    return { kind: 'attempt-again', tally: next, delayMs: Math.min(delay, own), ...ownAgain };
  }
  return {
    kind: 'attempt-again',
    tally: next,
    delayMs: delay,
    refusal: policy.charge === 'report' ? fault.message : null,
    fallback: fallback === 'at-work',
    ownUntil: context.ownUntil,
  };
}

/** Faults that say that this agent cannot do it; another one may. */
const OF_THE_AGENT: ReadonlySet<FaultCode> = new Set([
  'bad-credentials',
  'no-credit',
  'agent-unavailable',
  'context-too-long',
  'refusal',
]);

/** Whether a fault says that the run does not get on: one that passes, or a limit, does not. */
export function isCharged({ code }: Fault): boolean {
  const { charge } = faultPolicy[code];
  return charge === 'round' || charge === 'report';
}

function spent(charge: Charge, tally: Tally, limits: Limits): boolean {
  switch (charge) {
    case 'round':
      return tally.round >= limits.roundAttempts;
    case 'report':
      return tally.report >= limits.reportAttempts;
    case 'passing':
      return tally.inARow >= MAX_PASSING_FAULTS;
    case 'limit':
      return false;
    default:
      return charge satisfies never;
  }
}

/** A reset that lies further ahead than any real limit's was misread: then it is asked again. */
function msUntil(resetAt: string, now: number): number {
  return Math.min(Math.max(Date.parse(resetAt) - now, 0) + RESET_MARGIN_MS, LONGEST_WAIT_MS);
}
