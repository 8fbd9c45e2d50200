import { z } from 'zod';

/** The attempt that the tree belongs to. Work of an earlier one comes too late. */
export const Claim = z.strictObject({
  /** 0: the setup command's. */
  round: z.int().nonnegative(),
  attempt: z.int().positive(),
  base: z.string(),
});
export type Claim = z.infer<typeof Claim>;
