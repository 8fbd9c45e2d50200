import { z } from 'zod';
import { GateTrace } from './gate.ts';
import { RunRequest } from '../run/run.ts';

/** Argument of the activity `runGates`. */
export const GateInput = z.strictObject({
  request: RunRequest,
  /** The round whose claim is checked; 0: the baseline, before the first, or the claim of the run before. */
  round: z.int().nonnegative(),
  /** The last check of this round whose outcome the loop knows; 0: none. A later finished one is taken as it is. */
  afterCheck: z.int().nonnegative(),
  /** The checkpoint to be checked. */
  commit: z.string(),
  /** How the gates ended before round 1; null: not known, or this is the baseline. */
  baseline: z.array(GateTrace).nullable(),
});
export type GateInput = z.infer<typeof GateInput>;
