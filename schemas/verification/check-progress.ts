import { z } from 'zod';

/** Heartbeat details of `runGates` and `reviewClaim`: what a follower sees of the check under way. */
export const CheckProgress = z.strictObject({
  what: z.enum(['gates', 'review']),
  /** The round whose claim is checked; 0: before the first. */
  round: z.int().nonnegative(),
  /** Counts the runs of the gates, or the reviews, of that round. */
  check: z.int().positive(),
  startedAt: z.iso.datetime(),
  /** The gate under way, or the reviewer's last activity, in one line; null: none yet. */
  activity: z.string().nullable(),
  /** Input and output tokens of a reviewer so far; null: not known. */
  tokens: z.int().nonnegative().nullable(),
});
export type CheckProgress = z.infer<typeof CheckProgress>;
