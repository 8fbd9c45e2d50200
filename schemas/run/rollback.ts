import { z } from 'zod';

/** One rollback of an ended run. */
export const Rollback = z.strictObject({
  /** Counts the rollbacks of a run, from 1. */
  number: z.int().positive(),
  /** The round whose checkpoint the run stands at again; 0: where its first round began. */
  to: z.int().nonnegative(),
  commit: z.string(),
  /** The last checkpoint that was given up, and the full name of the ref that keeps it. */
  abandoned: z.string(),
  keptAt: z.string(),
  /** Whether that ref is in the user's repository, too: not where that was away. */
  kept: z.boolean().default(true),
  /** Where the user's repository shows the run since; null: nowhere. */
  ref: z.string().nullable(),
  /** What a reader must know: a branch that was left where it is. */
  notes: z.array(z.string()),
  at: z.iso.datetime(),
  /** False: it was begun and is to be ended. */
  done: z.boolean(),
});
export type Rollback = z.infer<typeof Rollback>;

/** `rollback.json`: every rollback of the run, the last one in force. */
export const Rollbacks = z.strictObject({ rollbacks: z.array(Rollback) });
export type Rollbacks = z.infer<typeof Rollbacks>;
