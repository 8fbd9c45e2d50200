import { z } from 'zod';
import { Receipt } from './receipt.ts';

/** How a run's `setup` command ended, as its folder keeps it. */
export const SetupRecord = z.strictObject({
  command: z.string(),
  /** Null: it did not end by itself. */
  exitCode: z.int().nullable(),
  timedOut: z.boolean(),
  ms: z.int().nonnegative(),
  receipt: Receipt,
});
export type SetupRecord = z.infer<typeof SetupRecord>;
