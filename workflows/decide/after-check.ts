import { chargeAgent, chargeGates, chargeLost, chargeLostGates, endRound } from '../../schemas/budget/spend.ts';
import type { Ceilings } from '../../schemas/budget/budget.ts';
import { countedChecks, isBaseline, noFaults, type LoopState } from '../../schemas/loop/state.ts';
import type { Fault } from '../../schemas/round/fault.ts';
import type { RunRequest } from '../../schemas/run/run.ts';
import type { Verification } from '../../schemas/run/result.ts';
import { traceOf, type GateResult } from '../../schemas/verification/gate.ts';
import type { GatesResult, ReviewResult } from '../../schemas/verification/lost-checks.ts';
import type { After, Moment } from './events.ts';
import { unreportedUse } from './after-attempt.ts';
import { afterFault, afterLoss } from './after-fault.ts';
import { spentUp } from './budgets.ts';
import { gateVerdict } from './gate-verdict.ts';
import { handoffOf, claimStep, handOn, reviewReason } from './handoff.ts';
import { endedAt, goOn } from './next-round.ts';
import { noteRejection } from './stall-detection.ts';

/** What a run of the gates changes. @param afterPause whether a pause ended the one before it */
export function afterGates(
  request: RunRequest,
  state: LoopState,
  { result, afterPause, ...moment }: Moment & { result: GatesResult; afterPause: boolean },
): After {
  const { round } = result;
  const numbers = result.kind === 'lost' ? result.checks.map(({ check }) => check) : [result.check];
  const counted: LoopState = {
    ...state,
    checks: { ...countedChecks(state, round), afterCheck: Math.max(...numbers) },
    spent:
      result.kind === 'lost' ? result.checks.reduce(chargeLostGates, state.spent) : chargeGates(state.spent, result),
  };
  switch (result.kind) {
    case 'lost': {
      const what = isBaseline(state) ? 'gates before round 1' : `gates of round ${round}`;
      return afterPause ? { state: counted, kind: 'again' } : afterLoss(counted, { ...moment, round, what });
    }
    case 'failed': {
      const { fault, check: attempts } = result;
      return afterFault(request, counted, { ...moment, fault, round, attempts, standIn: 'none' });
    }
    case 'checked': {
      const { gates: results } = result;
      const here = { ...counted, faults: noFaults };
      if (here.pending === null) return { state: { ...here, baseline: results.map(traceOf) }, kind: 'forward' };
      const { reasons, failed, excused } = gateVerdict(result, request.gatePolicy, state.baseline);
      if (reasons.length > 0) return reject(request, here, { reasons, gate: failed, unreported: null });
      const pending = { ...here.pending, gates: { results, excused: [...excused] } };
      if (request.reviewer === null) return accept(request, { ...here, pending });
      const handoff = handoffOf(pending.claim, [claimStep('gates-passed')], request.limits.maxHandoffChars);
      return { state: { ...handOn(here, handoff, 'unverified-claim'), pending }, kind: 'forward' };
    }
    default:
      return result satisfies never;
  }
}

/** What a review changes. @param asked the limits that the reviewer was started with */
export function afterReview(
  request: RunRequest,
  state: LoopState,
  { result, asked, afterPause, ...moment }: Moment & { result: ReviewResult; asked: Ceilings; afterPause: boolean },
): After {
  const { round } = result;
  const numbers = result.kind === 'lost' ? result.reviews.map(({ attempt }) => attempt) : [result.attempt];
  const counted: LoopState = {
    ...state,
    checks: { ...countedChecks(state, round), afterReview: Math.max(...numbers) },
    spent: result.kind === 'lost' ? result.reviews.reduce(chargeLost, state.spent) : chargeAgent(state.spent, result),
  };
  switch (result.kind) {
    case 'lost': {
      const what = `reviews of round ${round}`;
      return afterPause ? { state: counted, kind: 'again' } : afterLoss(counted, { ...moment, round, what });
    }
    case 'failed': {
      const { fault, attempt: attempts } = result;
      if (fault.code === 'budget-spent') return spentUp(counted, fault, asked);
      const after = afterFault(request, counted, { ...moment, fault, round, attempts, standIn: 'none' });
      return { ...after, state: withRefusal(after.state) };
    }
    case 'reviewed': {
      const here = { ...counted, faults: noFaults };
      const { decision, reasons } = result.review;
      if (decision === 'accept') return accept(request, here);
      const unreported = unreportedUse(result, { who: 'reviewer', budgets: state.ceilings.budgets });
      return reject(request, here, { reasons: reasons.map(reviewReason), gate: null, unreported });
    }
    default:
      return result satisfies never;
  }
}

/** What the next reviewer is told of an output that was rejected belongs to the verification, not to the round. */
function withRefusal(state: LoopState): LoopState {
  const { faults, pending } = state;
  if (pending === null) return state;
  return {
    ...state,
    faults: { ...faults, whyRejected: null },
    pending: { ...pending, whyRejected: faults.whyRejected },
  };
}

/**
 * The completion claim is accepted: it ends the run. It stays pending until the run has really ended by it: a cancel may
 * come first, and then a follow-up verifies it again.
 */
export function accept(request: RunRequest, state: LoopState): After {
  const { pending } = state;
  if (pending === null) return { state, kind: 'forward' };
  const { claim, finalText, gates } = pending;
  const excusedGates = gates === null ? [] : gates.excused;
  const verification = verificationOf(request, excusedGates);
  const check = gates === null && request.reviewer === null ? 'unchecked' : 'accepted';
  const handoff = handoffOf(claim, [claimStep(check)], request.limits.maxHandoffChars);
  const next = handOn(state, handoff, 'unverified-claim');
  const ending = {
    status: 'complete',
    ...endedAt(next),
    verification,
    excusedGates,
    report: claim,
    finalText,
  } as const;
  return { state: next, kind: 'end', ending };
}

function verificationOf({ gates, reviewer }: RunRequest, excused: readonly string[]): Verification {
  if (reviewer !== null) return 'reviewed';
  if (gates.length === 0) return 'agent-reported';
  return excused.length > 0 ? 'gates-as-before' : 'gates-passed';
}

/** The completion claim is rejected: the next round is told why. */
function reject(
  request: RunRequest,
  state: LoopState,
  why: { reasons: readonly string[]; gate: GateResult | null; unreported: Fault | null },
): After {
  const { pending, rounds, spent } = state;
  if (pending === null) return { state, kind: 'forward' };
  const { limits } = request;
  const { counters, stall } = noteRejection(state.stall, why.gate, limits);
  const next = handOn(
    // The check was part of its round, unless that was a round of the previous run.
    { ...state, pending: null, stall: counters, spent: rounds === 0 ? spent : endRound(spent) },
    handoffOf(pending.claim, why.reasons, limits.maxHandoffChars),
    'rejected-claim',
  );
  return goOn(next, { stall: stall ?? pending.stall, unreported: pending.unreported ?? why.unreported });
}
