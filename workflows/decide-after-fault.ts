import type { Fault } from '../schemas/fault.ts';
import type { Tally } from '../schemas/loop.ts';
import type { Limits } from '../schemas/run.ts';
import {
  backoffMs,
  faultPolicy,
  LONGEST_WAIT_MS,
  MAX_PASSING_FAULTS,
  RESET_MARGIN_MS,
  type FaultPolicy,
} from './fault-policy.ts';

type Charge = Exclude<FaultPolicy['charge'], 'final'>;

/** What follows an attempt that failed. `refusal`: what the next agent is told about the report that was refused. */
export type AfterFault =
  | { readonly kind: 'attempt-again'; readonly tally: Tally; readonly delayMs: number; readonly refusal: string | null }
  | { readonly kind: 'fail' };

/** @param now the workflow's clock, in milliseconds since the epoch */
export function decideAfterFault(
  fault: Fault,
  { tally, limits, now }: { tally: Tally; limits: Limits; now: number },
): AfterFault {
  const policy: FaultPolicy = faultPolicy[fault.code];
  if (policy.charge === 'final') return { kind: 'fail' };
  const next: Tally = {
    round: tally.round + (policy.charge === 'round' ? 1 : 0),
    report: tally.report + (policy.charge === 'report' ? 1 : 0),
    inARow: tally.lastCharge === policy.charge ? tally.inARow + 1 : 1,
    lastCharge: policy.charge,
  };
  if (spent(policy.charge, next, limits)) return { kind: 'fail' };
  const backoff = backoffMs(policy.backoff, next.inARow);
  return {
    kind: 'attempt-again',
    tally: next,
    delayMs: fault.resetAt === null ? backoff : msUntil(fault.resetAt, now),
    refusal: policy.charge === 'report' ? fault.message : null,
  };
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
