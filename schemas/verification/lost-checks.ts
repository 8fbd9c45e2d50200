import { z } from 'zod';
import { GateCheck } from './gate.ts';
import { FinishedReview } from './review.ts';
import { Usage } from '../round/usage.ts';

/** A run of the gates that was ended from outside. */
export const LostGates = z.strictObject({
  check: z.int().positive(),
  /** From its beginning to its end; where its worker was lost, to its last output. */
  ms: z.int().nonnegative(),
});
export type LostGates = z.infer<typeof LostGates>;

/** A review that was ended from outside. */
export const LostReview = z.strictObject({
  attempt: z.int().positive(),
  /** Null: its worker was lost before it printed anything. */
  agentMs: z.int().nonnegative().nullable(),
  usage: Usage.nullable(),
  costUsd: z.number().nonnegative().nullable(),
  costEstimated: z.boolean(),
});
export type LostReview = z.infer<typeof LostReview>;

const lost = { kind: z.literal('lost'), round: z.int().nonnegative() };

/** Result of `runGates`. Of those that were lost since the loop asked last: none was begun after them. */
export const GatesResult = z.discriminatedUnion('kind', [
  ...GateCheck.options,
  z.strictObject({ ...lost, checks: z.array(LostGates).min(1) }),
]);
export type GatesResult = z.infer<typeof GatesResult>;

/** Result of `reviewClaim`; the same for reviews. */
export const ReviewResult = z.discriminatedUnion('kind', [
  ...FinishedReview.options,
  z.strictObject({ ...lost, reviews: z.array(LostReview).min(1) }),
]);
export type ReviewResult = z.infer<typeof ReviewResult>;
