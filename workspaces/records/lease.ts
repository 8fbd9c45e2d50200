import { z } from 'zod';

/** Which attempt the tree belongs to (`claim.json`). Work of an earlier one comes too late. */
export const Lease = z.strictObject({
  /** 0: the setup command's. */
  round: z.int().nonnegative(),
  attempt: z.int().positive(),
  base: z.string(),
  /** Which folder the tree was then; null: an older engine did not say. */
  tree: z.string().nullable().default(null),
});
export type Lease = z.infer<typeof Lease>;
