import { z } from 'zod';

/** What `createWorkspace` made. */
export const WorkspaceState = z.strictObject({
  /** The commit that the run starts from. */
  base: z.string(),
  /** Where the user's repository shows the run. Null: nowhere; the notes say why. */
  ref: z.string().nullable(),
  notes: z.array(z.string()),
});
export type WorkspaceState = z.infer<typeof WorkspaceState>;

/** The attempt that the tree belongs to. Work of an earlier one comes too late. */
export const Claim = z.strictObject({
  round: z.int().positive(),
  attempt: z.int().positive(),
  base: z.string(),
});
export type Claim = z.infer<typeof Claim>;
