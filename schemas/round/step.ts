import { z } from 'zod';
import { Receipt } from './receipt.ts';

/** What is written down of a contained command whose worker was lost, or that was ended from outside. */
export const InterruptedRecord = z.strictObject({ kind: z.literal('interrupted'), receipt: Receipt });
export type InterruptedRecord = z.infer<typeof InterruptedRecord>;

/** How a command that the engine runs for a run (its setup, a gate) ended, as its folder keeps it. */
export const StepRecord = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('ended'),
    command: z.string(),
    /** Null: it did not end by itself. */
    exitCode: z.int().nullable(),
    timedOut: z.boolean(),
    ms: z.int().nonnegative(),
    receipt: Receipt,
  }),
  InterruptedRecord,
]);
export type StepRecord = z.infer<typeof StepRecord>;
export type EndedStep = Extract<StepRecord, { kind: 'ended' }>;
