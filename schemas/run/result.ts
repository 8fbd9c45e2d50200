import { z } from 'zod';
import { BudgetName, nothingSpent, Spent } from '../budget/budget.ts';
import { Fault } from '../round/fault.ts';
import { Ceilings } from '../loop/loop.ts';
import { Receipt } from '../round/receipt.ts';
import { Handoff, Report } from '../round/report.ts';

/**
 * Who says that a run is complete. `worker-reported` is a claim: nothing checked it. `gates-as-before`: no gate got worse,
 * but some fail as they did before round 1. `reviewed`: gates, if any, and then a reviewer.
 */
export const Verification = z.enum(['worker-reported', 'gates-passed', 'gates-as-before', 'reviewed']);
export type Verification = z.infer<typeof Verification>;

/** What makes a run stalled. */
export const StallCause = z.enum(['unchanged-tree', 'same-fault', 'claims-refused', 'same-gate-failure']);
export type StallCause = z.infer<typeof StallCause>;

const ended = {
  rounds: z.int().nonnegative(),
  /** Last checkpoint and where the user's repository shows it. */
  commit: z.string(),
  ref: z.string().nullable(),
};

/** The result of a run that Temporal shows as Completed. */
export const RunResult = z.discriminatedUnion('status', [
  z.strictObject({
    status: z.literal('complete'),
    ...ended,
    verification: Verification,
    /** Gates that fail as they did before round 1, which the run allows. */
    excusedGates: z.array(z.string()).default([]),
    report: Report,
    /** The agent's last words, cut to `maxResultChars` with a mark. */
    finalText: z.string().nullable(),
  }),
  z.strictObject({ status: z.literal('blocked'), ...ended, report: Report, finalText: z.string().nullable() }),
  z.strictObject({
    status: z.literal('budget-limited'),
    ...ended,
    budget: BudgetName,
    /** What was used of it, and the limit, in words. */
    reason: z.string().default(''),
    handoff: Handoff.nullable(),
  }),
  z.strictObject({
    status: z.literal('stalled'),
    ...ended,
    cause: StallCause,
    reason: z.string(),
    handoff: Handoff.nullable(),
  }),
  /** A person had it stop after the round under way. */
  z.strictObject({ status: z.literal('stopped'), ...ended, handoff: Handoff.nullable() }),
]);
export type RunResult = z.infer<typeof RunResult>;

/** Details of the failure of a run that Temporal shows as Failed. */
export const RoundFailure = z.strictObject({
  /** 0: the workspace could not be prepared. */
  round: z.int().nonnegative(),
  attempts: z.int().positive(),
  fault: Fault,
  handoff: Handoff.nullable(),
});
export type RoundFailure = z.infer<typeof RoundFailure>;

/** How a run ended, before its workspace was released. `reason`: what the user said, null for nothing. */
export const UnreleasedEnding = z.discriminatedUnion('status', [
  ...RunResult.options,
  z.strictObject({ status: z.literal('round-failed'), ...RoundFailure.shape }),
  z.strictObject({ status: z.literal('cancelled'), reason: z.string().nullable() }),
]);
export type UnreleasedEnding = z.infer<typeof UnreleasedEnding>;

const used = {
  spent: Spent.default(nothingSpent),
  /** The limits that were in force at the end; null: as the request has them. */
  ceilings: Ceilings.nullable().default(null),
};

/** What a run had used when it ended, for the record. */
export const Used = z.strictObject(used);
export type Used = z.infer<typeof Used>;

/** How a run ended, as `ending.json` on disk tells it when Temporal has forgotten. */
export const RunEnding = z.strictObject({
  ending: UnreleasedEnding,
  /** The least sure of the run's last disposals. Null: there was never a process to dispose of. */
  receipt: Receipt.nullable(),
  /** What a reader must know: work that could not be committed. */
  notes: z.array(z.string()).default([]),
  ...used,
  endedAt: z.iso.datetime(),
});
export type RunEnding = z.infer<typeof RunEnding>;

/** Result of `releaseWorkspace`. `commit` and `ref`: the last checkpoint that an attempt made, null where none did. */
export const Released = z.strictObject({
  receipt: Receipt.nullable(),
  commit: z.string().nullable(),
  ref: z.string().nullable(),
  notes: z.array(z.string()),
  /** What the run used in all; null: as it was told. */
  spent: Spent.nullable().default(null),
});
export type Released = z.infer<typeof Released>;
