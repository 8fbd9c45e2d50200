import { z } from 'zod';

/** Which attempt the tree belongs to (`claim.json`). Work of an earlier one comes too late. */
export const Lease = z.strictObject({
  /** 0: the setup command's. */
  round: z.int().nonnegative(),
  attempt: z.int().positive(),
  base: z.string(),
});
export type Lease = z.infer<typeof Lease>;
