import { z } from 'zod';
import { Ceilings, nothingSpent, Spent } from '../budget/budget.ts';
import { Fault } from '../round/fault.ts';
import { handedOn, nothingReceived } from '../round/received.ts';
import { CompletionClaim } from '../round/report.ts';
import { RunId, startCommit, type RunRequest } from '../run/run.ts';
import { GateResult, GateTrace } from '../verification/gate.ts';
import { noStallCounters, Stall, StallCounters } from './stall.ts';

/** Faults of one round so far, by what they are charged to. `inARow`: the last ones of one charge. */
export const Tally = z.strictObject({
  round: z.int().nonnegative(),
  report: z.int().nonnegative(),
  inARow: z.int().nonnegative(),
  lastCharge: z.enum(['round', 'report', 'transient', 'limit']).nullable(),
});
export type Tally = z.infer<typeof Tally>;
export const emptyTally: Tally = { round: 0, report: 0, inARow: 0, lastCharge: null };

/** A completion claim that nothing has accepted or rejected yet. */
export const PendingVerification = z.strictObject({
  /** Whose round made it: this run's, or the run's before. */
  runId: RunId,
  round: z.int().positive(),
  claim: CompletionClaim,
  /** The agent's last words, bounded. */
  finalText: z.string().nullable(),
  /** Why the run has stalled if the claim is rejected; null: it has not. */
  stall: Stall.nullable(),
  /** Why nothing would hold the run's budgets in a further round; null: they are held. */
  unreported: Fault.nullable(),
  /** The gates that passed, and those of them that are excused; null: they have not passed yet. */
  gates: z.strictObject({ results: z.array(GateResult), excused: z.array(z.string()) }).nullable(),
  /** Why the output of the last reviewer was rejected; null: it was not. */
  whyRejected: z.string().nullable(),
});
export type PendingVerification = z.infer<typeof PendingVerification>;

/** How many checks of a round the loop has counted: runs of the gates, and reviews. */
export const CountedChecks = z.strictObject({
  round: z.int().nonnegative(),
  afterCheck: z.int().nonnegative(),
  afterReview: z.int().nonnegative(),
});
export type CountedChecks = z.infer<typeof CountedChecks>;

/** Where a loop stands: everything that its next decision needs, and all that it has counted. */
export const LoopState = z.strictObject({
  /** Whether the workspace is made and set up. */
  prepared: z.boolean(),
  /** Rounds that ended with a report, or with work when their time was over. */
  rounds: z.int().nonnegative(),
  ...handedOn,
  /** The last checkpoint, and where the user's repository shows it; null: nowhere. */
  commit: z.string(),
  ref: z.string().nullable(),
  /** Of the current round: faults so far, the last attempt that is counted, and who makes the next attempt. */
  faults: z.strictObject({
    tally: Tally,
    afterAttempt: z.int().nonnegative(),
    /** Why the report of the last attempt was rejected; null: it was not. */
    whyRejected: z.string().nullable(),
    fallback: z.boolean(),
    /** Until when the run's own agent is limited, while the fallback agent works; ISO 8601, null: not known. */
    ownUntil: z.iso.datetime().nullable(),
    /** What the last attempt's request was rejected with, as `serverRejection` has it; null: it was not rejected. */
    rejection: z.string().nullable().default(null),
  }),
  spent: Spent,
  /** How the gates ended before round 1; null: there was no such check. */
  baseline: z.array(GateTrace).nullable(),
  stall: StallCounters,
  pending: PendingVerification.nullable(),
  /** The limits in force, raised ones too. */
  ceilings: Ceilings,
  /** Null: nothing was checked. */
  checks: CountedChecks.nullable(),
});
export type LoopState = z.infer<typeof LoopState>;

export const noFaults: LoopState['faults'] = {
  tally: emptyTally,
  afterAttempt: 0,
  whyRejected: null,
  fallback: false,
  ownUntil: null,
  rejection: null,
};

/** Where the loop of a first run stands before anything was done. */
export const beginning = (request: RunRequest): LoopState => ({
  prepared: false,
  rounds: 0,
  ...nothingReceived,
  commit: startCommit(request),
  ref: null,
  faults: noFaults,
  spent: nothingSpent,
  baseline: null,
  stall: noStallCounters,
  pending: null,
  ceilings: { maxRounds: request.limits.maxRounds, budgets: request.budgets },
  checks: null,
});

/** How many checks of a round are counted. */
export function countedChecks({ checks }: LoopState, round: number): CountedChecks {
  return checks !== null && checks.round === round ? checks : { round, afterCheck: 0, afterReview: 0 };
}

/** Whether gates that run now are the baseline: no completion claim is checked by them. */
export const isBaseline = ({ pending }: Pick<LoopState, 'pending'>): boolean => pending === null;
