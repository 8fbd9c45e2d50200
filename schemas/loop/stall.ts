import { z } from 'zod';
import { GateTrace } from '../verification/gate.ts';

/** What makes a run stalled. 0.1.0 wrote `claims-refused`. */
export const StallCause = z.preprocess(
  (value) => (value === 'claims-refused' ? 'claims-rejected' : value),
  z.enum(['unchanged-tree', 'same-fault', 'claims-rejected', 'same-gate-failure']),
);
export type StallCause = z.infer<typeof StallCause>;

/** Why a run that repeats itself ends. */
export const Stall = z.strictObject({ cause: StallCause, reason: z.string() });
export type Stall = z.infer<typeof Stall>;

/** The same fault so often in a row is no accident. */
export const SAME_FAULTS = 3;

/** What stall detection counts. Everything counts in a row. */
export const StallCounters = z.strictObject({
  /** Rounds that left the tree as it was. */
  unchangedRounds: z.int().nonnegative(),
  /** Whether an attempt at the current round changed the tree. */
  changed: z.boolean(),
  /** Rejected completion claims. */
  rejections: z.int().nonnegative(),
  /** The gate that rejected the last completion claim, and how often it did in just this way. */
  gate: z.strictObject({ trace: GateTrace, times: z.int().positive() }).nullable(),
  /** The last fault that is charged to the run, and how often it came; null after a report. */
  fault: z.strictObject({ text: z.string(), times: z.int().positive() }).nullable(),
});
export type StallCounters = z.infer<typeof StallCounters>;
export const noStallCounters: StallCounters = {
  unchangedRounds: 0,
  changed: false,
  rejections: 0,
  gate: null,
  fault: null,
};
