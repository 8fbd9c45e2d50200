import { z } from 'zod';
import { Budgets, nothingSpent, Spent } from '../budget/budget.ts';
import { Fault } from '../round/fault.ts';
import { GateTrace } from '../verification/gate.ts';
import { handedOn, nothingHandedOn } from '../round/handed-on.ts';
import { freeRun, Steering } from './steering.ts';
import { RunRequest } from '../run/run.ts';

/** A prepared workspace, as the loop needs to know it. */
export const WorkspaceState = z.strictObject({
  /** The commit that round 1 begins from. */
  base: z.string(),
  /** Where the user's repository shows the run's commits; null: nowhere yet. */
  ref: z.string().nullable(),
  notes: z.array(z.string()),
});
export type WorkspaceState = z.infer<typeof WorkspaceState>;

/** Result of `prepareWorkspace`. */
export const Preparation = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('ready'), workspace: WorkspaceState }),
  z.strictObject({ kind: z.literal('failed'), fault: Fault }),
]);
export type Preparation = z.infer<typeof Preparation>;

/** Faults of one round so far, by what they are charged to. `inARow`: the last ones of one charge. */
export const Tally = z.strictObject({
  round: z.int().nonnegative(),
  report: z.int().nonnegative(),
  inARow: z.int().nonnegative(),
  lastCharge: z.enum(['round', 'report', 'passing', 'limit']).nullable(),
});
export type Tally = z.infer<typeof Tally>;
export const emptyTally: Tally = { round: 0, report: 0, inARow: 0, lastCharge: null };

/** What a person may raise while the run goes on. */
export const Ceilings = z.strictObject({ maxRounds: z.int().positive(), budgets: Budgets });
export type Ceilings = z.infer<typeof Ceilings>;

/** The same fault so often in a row is no accident. */
export const SAME_FAULTS = 3;

/** What tells a loop that it turns without getting anywhere. Everything counts in a row. */
export const StopLoss = z.strictObject({
  /** Rounds that left the tree as it was. */
  unchangedRounds: z.int().nonnegative(),
  /** Whether an attempt at the round under way changed the tree. */
  changed: z.boolean(),
  /** Claims of completion that were refused. */
  rejections: z.int().nonnegative(),
  /** The gate that refused the last claim, and how often it did in just this way. */
  gate: z.strictObject({ trace: GateTrace, times: z.int().positive() }).nullable(),
  /** The last fault that is charged to the run, and how often it came; null after a report. */
  fault: z.strictObject({ text: z.string(), times: z.int().positive() }).nullable(),
});
export type StopLoss = z.infer<typeof StopLoss>;
export const noLoss: StopLoss = { unchangedRounds: 0, changed: false, rejections: 0, gate: null, fault: null };

/** Where a loop stands between two attempts. */
export const LoopState = z.strictObject({
  /** Rounds that ended with a report. */
  rounds: z.int().nonnegative(),
  ...handedOn,
  commit: z.string(),
  ref: z.string().nullable(),
  /**
   * Of the round under way: faults so far, the last attempt that ended, why its report was refused, and whether the
   * fallback agent makes the next attempt.
   */
  faults: z.strictObject({
    tally: Tally,
    afterAttempt: z.int().nonnegative(),
    refusal: z.string().nullable(),
    fallback: z.boolean().default(false),
    /** Until when the run's own agent is limited, while the fallback agent is at work; ISO 8601, null: not known. */
    ownUntil: z.iso.datetime().nullable().default(null),
  }),
  spent: Spent.default(nothingSpent),
  /** How the gates ended before round 1; null: there was no such check. */
  baseline: z.array(GateTrace).nullable().default(null),
  stopLoss: StopLoss.default(noLoss),
});
export type LoopState = z.infer<typeof LoopState>;

export const noFaults: LoopState['faults'] = {
  tally: emptyTally,
  afterAttempt: 0,
  refusal: null,
  fallback: false,
  ownUntil: null,
};

/** Where a loop stands before its first round. */
export const beginning = (commit: string, ref: string | null): LoopState => ({
  rounds: 0,
  ...nothingHandedOn,
  commit,
  ref,
  faults: noFaults,
  spent: nothingSpent,
  baseline: null,
  stopLoss: noLoss,
});

/** All that crosses a continue-as-new. `cancelReason`: what the user said just before, null for nothing. */
export const Carried = z.strictObject({
  state: LoopState,
  cancelReason: z.string().nullable(),
  steering: Steering.default(freeRun),
  /** Null: as the request has them. */
  ceilings: Ceilings.nullable().default(null),
});

/** The deployment's settings that a loop is started with. */
export const LoopSettings = z.strictObject({
  /** How long a silent worker counts as alive. */
  heartbeatTimeoutMs: z.int().positive(),
  /** Continue as new after so many rounds of one execution; null: when Temporal suggests it. */
  continueAfterRounds: z.int().positive().nullable(),
});
export type LoopSettings = z.infer<typeof LoopSettings>;

/** Argument of the workflow `ralphLoop`. `carried`: null at the start. */
export const LoopInput = z.strictObject({
  request: RunRequest,
  settings: LoopSettings,
  carried: Carried.nullable(),
});
export type LoopInput = z.infer<typeof LoopInput>;
