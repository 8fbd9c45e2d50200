import { z } from 'zod';
import { Receipt } from './receipt.ts';

/** How an attempt at a run's `setup` command ended, as its folder keeps it. */
export const SetupRecord = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('ended'),
    command: z.string(),
    /** Null: it did not end by itself. */
    exitCode: z.int().nullable(),
    timedOut: z.boolean(),
    ms: z.int().nonnegative(),
    receipt: Receipt,
  }),
  /** Its worker was lost, or it was ended from outside. */
  z.strictObject({ kind: z.literal('interrupted'), receipt: Receipt }),
]);
export type SetupRecord = z.infer<typeof SetupRecord>;
