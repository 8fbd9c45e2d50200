import type { LoopState, Tally } from '../../schemas/loop/state.ts';
import type { Fault, FaultCode } from '../../schemas/round/fault.ts';
import type { Limits, RunRequest } from '../../schemas/run/run.ts';
import type { After, Moment } from './events.ts';
import { limitedBy, waitTooLong } from './budgets.ts';
import {
  backoffMs,
  faultPolicy,
  LONGEST_WAIT_MS,
  MAX_TRANSIENT_FAULTS,
  MOST_BESIDE_FALLBACK_MS,
  serverRejection,
  RESET_MARGIN_MS,
  type FaultPolicy,
} from './fault-policy.ts';
import { endedAt } from './next-round.ts';
import { noteFault } from './stall-detection.ts';

/** Whether there is a fallback agent. `idle`: there is; `at-work`: it made the attempt that failed. */
export type StandIn = 'none' | 'idle' | 'at-work';

/** What a fault of a preparation, an attempt, a run of the gates or a review changes. @param attempts counted so far */
export function afterFault(
  { limits }: Pick<RunRequest, 'limits'>,
  state: LoopState,
  failed: Moment & { fault: Fault; round: number; attempts: number; standIn: StandIn },
): After {
  const { fault, round, attempts, standIn, now, random } = failed;
  const { handoff, faults } = state;
  const { tally, ownUntil } = faults;
  const rejection = serverRejection(fault);
  const isRepeated = rejection !== null && rejection === faults.rejection;
  const after = decideAfterFault(fault, { tally, ownUntil, isRepeated, limits, now, random, fallback: standIn });
  if (after.kind === 'fail') {
    const told = isRepeated ? { ...fault, message: `${fault.message} (${REPEATED})` } : fault;
    return { state, kind: 'end', ending: { status: 'round-failed', round, attempts, fault: told, handoff } };
  }
  const { counters, stall } = isCharged(fault) ? noteFault(state.stall, fault) : { counters: state.stall, stall: null };
  const noted = { ...state, stall: counters };
  if (stall !== null) {
    return { state: noted, kind: 'end', ending: { status: 'stalled', ...endedAt(state), ...stall, handoff } };
  }
  const { delayMs, whyRejected, fallback } = after;
  const next: LoopState = {
    ...noted,
    faults: { ...faults, tally: after.tally, whyRejected, fallback, ownUntil: after.ownUntil, rejection },
  };
  const why = `${fault.code}: ${fault.message}`;
  return waitFirst(next, { round, delayMs, why }, (reason) => `${reason}, for ${why}`);
}

const REPEATED = "the model's server rejected two attempts with these words, so a further one would not help";

/**
 * Something was lost with its worker. It is done again at once, as machines and workers are restarted; but a worker that
 * is lost again and again counts like a network. @param what in the plural
 */
export function afterLoss(state: LoopState, lost: Moment & { round: number; what: string }): After {
  const { round, what, random } = lost;
  const tally = oneMoreLoss(state.faults.tally);
  const next = { ...state, faults: { ...state.faults, tally } };
  const { inARow: times } = tally;
  if (times === 1) return { state: next, kind: 'again' };
  const why = `worker-lost: ${what} were lost ${times} times in a row`;
  if (times >= MAX_TRANSIENT_FAULTS) {
    const fault: Fault = { code: 'engine-error', message: why, resetAt: null };
    const ending = { status: 'round-failed', round, attempts: times, fault, handoff: state.handoff } as const;
    return { state: next, kind: 'end', ending };
  }
  const delayMs = backoffMs(faultPolicy.network.backoff, times - 1, random);
  return waitFirst(next, { round, delayMs, why }, (reason) => reason);
}

const oneMoreLoss = (tally: Tally): Tally => ({
  ...tally,
  inARow: tally.lastCharge === 'transient' ? tally.inARow + 1 : 1,
  lastCharge: 'transient',
});

/** The same step again after a wait, if that may still be waited. */
function waitFirst(
  state: LoopState,
  wait: { round: number; delayMs: number; why: string },
  inWords: (reason: string) => string,
): After {
  if (wait.delayMs === 0) return { state, kind: 'again' };
  const tooLong = waitTooLong(state.spent, state.ceilings.budgets, wait.delayMs);
  if (tooLong === null) return { state, kind: 'wait', wait };
  return { state, kind: 'end', ending: limitedBy(state, { ...tooLong, reason: inWords(tooLong.reason) }) };
}

type Charge = Exclude<FaultPolicy['charge'], 'final'>;

/**
 * What follows an attempt that failed. `whyRejected`: what the next agent is told about the report that was rejected.
 * `fallback`: whether the fallback agent makes the next attempt.
 */
export type AfterFault =
  | {
      readonly kind: 'attempt-again';
      readonly tally: Tally;
      readonly delayMs: number;
      readonly whyRejected: string | null;
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
  readonly random: number;
  /** `idle`: there is one; `at-work`: it made the attempt that failed. */
  readonly fallback: StandIn;
  /** Until when the run's own agent is limited, where the fallback agent is at work; null: not known. */
  readonly ownUntil: string | null;
  /** Whether the attempt before failed of the same rejection by the model's server, word for word. */
  readonly isRepeated: boolean;
}

export function decideAfterFault(fault: Fault, context: FaultContext): AfterFault {
  const { tally, limits, now, random, fallback } = context;
  const policy: FaultPolicy = faultPolicy[fault.code];
  if (policy.fallback && fallback === 'idle') {
    const ownUntil = policy.charge === 'final' ? null : fault.resetAt;
    return { kind: 'attempt-again', tally, delayMs: 0, whyRejected: null, fallback: true, ownUntil };
  }
  const ownAgain = { fallback: false, ownUntil: null, whyRejected: null } as const;
  if (policy.charge === 'final') {
    // What the one that stands in cannot do is no end of a run whose own agent only has to wait.
    if (fallback !== 'at-work' || !OF_THE_AGENT.has(fault.code)) return { kind: 'fail' };
    if (context.ownUntil === null) return { kind: 'fail' };
    return { kind: 'attempt-again', tally, delayMs: msUntil(context.ownUntil, now), ...ownAgain };
  }
  if (context.isRepeated) return { kind: 'fail' };
  const next: Tally = {
    round: tally.round + (policy.charge === 'round' ? 1 : 0),
    report: tally.report + (policy.charge === 'report' ? 1 : 0),
    inARow: tally.lastCharge === policy.charge ? tally.inARow + 1 : 1,
    lastCharge: policy.charge,
  };
  if (spent(policy.charge, next, limits)) return { kind: 'fail' };
  const backoff = backoffMs(policy.backoff, next.inARow, random);
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
    whyRejected: policy.charge === 'report' ? fault.message : null,
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

/** Whether a fault counts for stall detection: a transient one, or a limit, does not. */
function isCharged({ code }: Fault): boolean {
  const { charge } = faultPolicy[code];
  return charge === 'round' || charge === 'report';
}

function spent(charge: Charge, tally: Tally, limits: Limits): boolean {
  switch (charge) {
    case 'round':
      return tally.round >= limits.roundAttempts;
    case 'report':
      return tally.report >= limits.reportAttempts;
    case 'transient':
      return tally.inARow >= MAX_TRANSIENT_FAULTS;
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
