import { z } from 'zod';
import { BudgetName, Ceilings, Spent } from '../budget/budget.ts';
import { Fault } from '../round/fault.ts';
import { LoopState } from '../loop/state.ts';
import { StallCause } from '../loop/stall.ts';
import { Receipt } from '../round/receipt.ts';
import { Handoff, Report } from '../round/report.ts';

/**
 * Who says that a run is complete. `agent-reported`: nothing checked the claim (0.1.0 wrote `worker-reported`).
 * `gates-as-before`: no gate got worse, but some fail as they did before round 1. `reviewed`: gates, if any, and then a
 * reviewer.
 */
export const Verification = z.preprocess(
  (value) => (value === 'worker-reported' ? 'agent-reported' : value),
  z.enum(['agent-reported', 'gates-passed', 'gates-as-before', 'reviewed']),
);
export type Verification = z.infer<typeof Verification>;

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

const released = {
  /** The least sure of the run's last disposals. Null: there was never a process to dispose of. */
  receipt: Receipt.nullable(),
  /** What a reader must know: work that could not be committed. */
  notes: z.array(z.string()).default([]),
  /** Where the loop stood in the end, with everything counted. Null: written by 0.1.0. */
  state: LoopState.nullable().default(null),
};

/** How a run ended, as `ending.json` on disk tells it when Temporal has forgotten. */
export const RunEnding = z.strictObject({
  ending: UnreleasedEnding,
  ...released,
  endedAt: z.iso.datetime(),
  /** Of 0.1.0, which kept no state: what was used, and the limits in force at the end; null: as the request has them. */
  spent: Spent.nullable().default(null),
  ceilings: Ceilings.nullable().default(null),
});
export type RunEnding = z.infer<typeof RunEnding>;

/** Result of `releaseWorkspace`. */
export const Released = z.strictObject(released);
export type Released = z.infer<typeof Released>;

/** What a run had used when it ended, and the limits in force then; null: not known. */
export const useAtEnd = ({ state, spent, ceilings }: RunEnding): { spent: Spent | null; ceilings: Ceilings | null } =>
  state === null ? { spent, ceilings } : { spent: state.spent, ceilings: state.ceilings };

/** Why a run ended, in one line; null: nobody said. */
export function whyItEnded(ending: UnreleasedEnding): string | null {
  switch (ending.status) {
    case 'complete':
      return `${ending.verification}: ${ending.report.summary}`;
    case 'blocked':
      return ending.report.blocker;
    case 'budget-limited':
      return ending.reason;
    case 'stopped':
      return 'stopped, as asked';
    case 'stalled':
    case 'cancelled':
      return ending.reason;
    case 'round-failed':
      return `${ending.fault.code}: ${ending.fault.message}`;
    default:
      return ending satisfies never;
  }
}
