import { z } from 'zod';
import { Fault } from './fault.ts';
import { Handoff } from './report.ts';
import { RunRequest } from './run.ts';

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

/** Where a loop stands between two rounds. All that crosses a continue-as-new. */
export const LoopState = z.strictObject({
  /** Rounds that ended with a report. */
  rounds: z.int().nonnegative(),
  /** Report of the last round, for the next. */
  handoff: Handoff.nullable(),
  commit: z.string(),
  ref: z.string().nullable(),
});
export type LoopState = z.infer<typeof LoopState>;

/** The deployment's settings that a loop is started with. */
export const LoopSettings = z.strictObject({
  /** How long a silent worker counts as alive. */
  heartbeatTimeoutMs: z.int().positive(),
  /** Continue as new after so many rounds of one execution; null: when Temporal suggests it. */
  continueAfterRounds: z.int().positive().nullable(),
});
export type LoopSettings = z.infer<typeof LoopSettings>;

/** Argument of the workflow `ralphLoop`. `carried`: null at the start, the state after a continue-as-new. */
export const LoopInput = z.strictObject({
  request: RunRequest,
  settings: LoopSettings,
  carried: LoopState.nullable(),
});
export type LoopInput = z.infer<typeof LoopInput>;
