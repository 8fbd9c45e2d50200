import { z } from 'zod';
import { Fault } from '../round/fault.ts';
import { Mechanism, Receipt } from '../round/receipt.ts';
import { Sandbox } from '../run/sandbox.ts';
import { InterruptedRecord } from '../round/step.ts';
import { Usage } from '../round/usage.ts';

/** Most UTF-16 code units of a serialized review. */
export const MAX_REVIEW_CHARS = 8_192;

const Reason = z.string().refine((text) => text.trim() !== '' && text === text.trim(), 'must say something, trimmed');

/** What a reviewer says of the work. A rejection gives its reasons. */
export const Review = z.discriminatedUnion('decision', [
  z.strictObject({ decision: z.literal('accept'), reasons: z.array(Reason) }),
  z.strictObject({
    decision: z.literal('reject'),
    reasons: z.array(Reason).min(1, 'must hold one: a rejection gives a reason'),
  }),
]);
export type Review = z.infer<typeof Review>;

/** What holds for both decisions: says all that is wrong with a review that is neither. */
export const AnyReview = z.strictObject({
  decision: z.enum(['accept', 'reject'], 'must be "accept" or "reject"'),
  reasons: z.array(Reason),
});

const review = {
  round: z.int().nonnegative(),
  /** Counts the reviews of a round, from 1. */
  attempt: z.int().positive(),
  /** The checkpoint that was reviewed. Null: written before that was kept. */
  commit: z.string().nullable().default(null),
  startedAt: z.iso.datetime(),
  endedAt: z.iso.datetime(),
  /** Milliseconds the reviewer ran. Null: its worker was lost. */
  agentMs: z.int().nonnegative().nullable(),
  usage: Usage.nullable(),
  costUsd: z.number().nonnegative().nullable(),
  /** Whether `costUsd` comes from the price table. */
  costEstimated: z.boolean(),
  /** `mechanism`: the receipt's. */
  sandbox: Sandbox.extend({ mechanism: Mechanism.nullable() }),
  receipt: Receipt,
};

/** Result of the activity `reviewClaim`. */
export const FinishedReview = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('reviewed'), ...review, review: Review }),
  z.strictObject({ kind: z.literal('failed'), ...review, fault: Fault }),
]);
export type FinishedReview = z.infer<typeof FinishedReview>;

/** What is written down of a review that was ended from outside, with what it had told. */
const interrupted = InterruptedRecord.extend({
  /** Null: its worker was lost. */
  agentMs: review.agentMs.default(null),
  usage: review.usage.default(null),
  costUsd: review.costUsd.default(null),
  costEstimated: review.costEstimated.default(false),
});

/** How a review ended, as its folder keeps it. */
export const ReviewRecord = z.discriminatedUnion('kind', [...FinishedReview.options, interrupted]);
export type ReviewRecord = z.infer<typeof ReviewRecord>;
