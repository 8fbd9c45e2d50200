import { allowanceOf, type Allowance } from '../../schemas/budget/budget.ts';
import type { StepInput } from '../../schemas/loop/loop-input.ts';
import { countersOf, type Counters } from '../../schemas/loop/memo.ts';
import { countedChecks, isBaseline } from '../../schemas/loop/state.ts';
import type { Received } from '../../schemas/round/received.ts';
import type { RunRequest } from '../../schemas/run/run.ts';
import type { GateResult, GateTrace } from '../../schemas/verification/gate.ts';

/** The input of an attempt at a round. */
export interface RoundInput extends Received {
  readonly request: RunRequest;
  readonly counters: Counters;
  readonly round: number;
  /** The last attempt at this round that the loop has counted; 0: none. A later finished one is taken as it is. */
  readonly afterAttempt: number;
  /** Why the report of the attempt before was rejected; null: it was not. */
  readonly whyRejected: string | null;
  /** Whether the run's fallback agent makes the attempt. */
  readonly fallback: boolean;
  readonly maxRounds: number;
  readonly allowance: Allowance;
}

export function roundInput({ request, state }: StepInput): RoundInput {
  const { rounds, handoff, handoffSource, userNotes, faults, ceilings, spent } = state;
  const { afterAttempt, whyRejected, fallback } = faults;
  return {
    request,
    counters: countersOf(state),
    round: rounds + 1,
    afterAttempt,
    handoff,
    handoffSource,
    userNotes,
    whyRejected,
    fallback,
    maxRounds: ceilings.maxRounds,
    allowance: allowanceOf(spent, ceilings.budgets),
  };
}

/** The input of a run of the gates. */
export interface GateInput {
  readonly request: RunRequest;
  readonly counters: Counters;
  /** The round whose completion claim is checked; 0: the baseline, or the claim of a previous run. */
  readonly round: number;
  readonly isBaseline: boolean;
  /** The last check of this round that the loop has counted; 0: none. A later finished one is taken as it is. */
  readonly afterCheck: number;
  /** The checkpoint to be checked. */
  readonly commit: string;
  /** How the gates ended before round 1; null: not known, or this is the baseline. */
  readonly baseline: readonly GateTrace[] | null;
}

export function gateInput({ request, state }: StepInput): GateInput {
  const { rounds: round, commit, baseline } = state;
  const { afterCheck } = countedChecks(state, round);
  return { request, counters: countersOf(state), round, isBaseline: isBaseline(state), afterCheck, commit, baseline };
}

/** The input of a review. */
export interface ReviewInput {
  readonly request: RunRequest;
  readonly counters: Counters;
  /** The round whose completion claim is judged; 0: it is a previous run's. */
  readonly round: number;
  /** The last review of this round that the loop has counted; 0: none. A later finished one is taken as it is. */
  readonly afterReview: number;
  /** The checkpoint to be reviewed. */
  readonly commit: string;
  /** What the gates said of it. */
  readonly gates: readonly GateResult[];
  /** Why the output of the review before was rejected; null: it was not. */
  readonly whyRejected: string | null;
  readonly allowance: Allowance;
}

export function reviewInput({ request, state }: StepInput): ReviewInput {
  const { rounds: round, commit, pending, spent, ceilings } = state;
  const { afterReview } = countedChecks(state, round);
  return {
    request,
    counters: countersOf(state),
    round,
    afterReview,
    commit,
    gates: pending === null || pending.gates === null ? [] : pending.gates.results,
    whyRejected: pending === null ? null : pending.whyRejected,
    allowance: allowanceOf(spent, ceilings.budgets),
  };
}
