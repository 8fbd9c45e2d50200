import { z } from 'zod';
import { Fault } from '../round/fault.ts';

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
