import { z } from 'zod';
import { KnownAttempts } from '../round/round-input.ts';

/** How far the loop knows the gates and the reviews of the claim that it checked last. */
export const KnownChecks = z.strictObject({
  round: z.int().nonnegative(),
  afterCheck: z.int().nonnegative(),
  afterReview: z.int().nonnegative(),
});
export type KnownChecks = z.infer<typeof KnownChecks>;

/** All that the loop has counted of what a run did; null: it never came to any. */
export const KnownWork = z.strictObject({
  attempts: KnownAttempts.nullable(),
  checks: KnownChecks.nullable(),
});
export type KnownWork = z.infer<typeof KnownWork>;
