import { z } from 'zod';
import { RunRequest } from '../run/run.ts';
import { Controls, noControls } from './control.ts';
import { LoopState } from './state.ts';

/** The deployment's settings that a loop is started with. */
export const LoopSettings = z.strictObject({
  /** How long a silent worker counts as alive. */
  heartbeatTimeoutMs: z.int().positive(),
  /** Continue as new after so many rounds of one execution; null: when Temporal suggests it. */
  continueAfterRounds: z.int().positive().nullable(),
});
export type LoopSettings = z.infer<typeof LoopSettings>;

/** What crosses a continue-as-new beside the state. */
const Carried = z.strictObject({
  /** What the user said just before a cancel; null: nothing. */
  cancelReason: z.string().nullable(),
  controls: Controls.default(noControls),
  /** Of the control signals that were obeyed. */
  nonces: z.array(z.string()).default([]),
});

/** Name of the workflow, as Temporal knows it. */
export const WORKFLOW_TYPE = 'ralphLoop';

/** Argument of the workflow. `state`: where it begins. `carried`: null at the start of the run. */
export const LoopInput = z.strictObject({
  request: RunRequest,
  settings: LoopSettings,
  state: LoopState,
  carried: Carried.nullable(),
});
export type LoopInput = z.infer<typeof LoopInput>;

/** Argument of every activity of a run: what was asked for, and where the loop stands. */
export const StepInput = z.strictObject({ request: RunRequest, state: LoopState });
export type StepInput = z.infer<typeof StepInput>;

/** Type of the failure with which `prepareWorkspace` turns an execution away whose run id is another execution's. */
export const RUN_NOT_HELD = 'run-not-held';
