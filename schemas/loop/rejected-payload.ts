import { z } from 'zod';

/**
 * What stands in the place of a payload whose signature is missing or wrong. The codec cannot throw: in a workflow that
 * would leave the run stuck, in a list it would hide every other run. So it hands over this value, which no schema of
 * ours accepts; whoever takes a value over asks `whyRejected` first to say why.
 */
const RejectedPayload = z.strictObject({ rejectedPayload: z.string() });
export type RejectedPayload = z.infer<typeof RejectedPayload>;

/** Why the value was rejected, in one sentence; null where it was not. */
export function whyRejected(value: unknown): string | null {
  const rejected = RejectedPayload.safeParse(value);
  return rejected.success ? rejected.data.rejectedPayload : null;
}
