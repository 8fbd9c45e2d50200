import { nothingSpent, type Ceilings } from '../../schemas/budget/budget.ts';
import { noStallCounters } from '../../schemas/loop/stall.ts';
import { noFaults, type LoopState } from '../../schemas/loop/state.ts';
import type { RunRequest } from '../../schemas/run/run.ts';
import { claimStep, handoffOf, handOn } from './handoff.ts';

/** What a follow-up is given. */
export interface FollowUp {
  readonly request: Pick<RunRequest, 'gates' | 'gatePolicy' | 'limits'>;
  /** What the user says to the next agent; null: nothing. */
  readonly note: string | null;
  readonly ceilings: Ceilings;
  /** Whether a later run accepted the completion claim and was rolled back: the user wants something else. */
  readonly wasAccepted: boolean;
}

/**
 * Where a follow-up run begins: it keeps the handoff, the notes, the commit, the baseline, the recent use and the pending
 * verification; it counts rounds, faults, stalls, checks and spend anew. A completion claim is not verified first if it was
 * accepted once, if the user has something to say to an agent, if its gates ran in the workspace that is gone, or if no
 * baseline is known for them.
 * @param final the final state of the run before
 */
export function followUp(final: LoopState, { request, note, ceilings, wasAccepted }: FollowUp): LoopState {
  const { gates, gatePolicy, limits } = request;
  const state = wasAccepted ? withoutAccepted(final, limits.maxHandoffChars) : final;
  const { pending, baseline, userNotes, spent } = state;
  const isVerifiable = note === null && !gatePolicy.inPlace && (gates.length === 0 || baseline !== null);
  return {
    ...state,
    prepared: false,
    rounds: 0,
    userNotes: note === null ? userNotes : [...userNotes, note],
    ref: null,
    faults: noFaults,
    spent: { ...nothingSpent, recent: spent.recent },
    stall: noStallCounters,
    pending:
      pending === null || !isVerifiable
        ? null
        : { ...pending, stall: null, unreported: null, gates: null, whyRejected: null },
    ceilings,
    checks: null,
  };
}

/** The same state, which hands on that the claim was accepted and the run rolled back. */
function withoutAccepted(state: LoopState, maxChars: number): LoopState {
  const { pending } = state;
  if (pending === null) return state;
  const handoff = handoffOf(pending.claim, [claimStep('accepted')], maxChars);
  return { ...handOn(state, handoff, 'unverified-claim'), pending: null };
}
