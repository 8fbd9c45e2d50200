import { z } from 'zod';

/**
 * What stands in the place of a payload whose signature is missing or wrong. The codec cannot throw: in a workflow that
 * would leave the run stuck, in a list it would hide every other run. So it hands over this value, which no schema of
 * ours accepts; whoever takes a value over asks `refusal` first to say why.
 */
const RefusedPayload = z.strictObject({ refusedPayload: z.string() });
export type RefusedPayload = z.infer<typeof RefusedPayload>;

/** Why the value was refused, in one sentence; null where it was not. */
export function refusal(value: unknown): string | null {
  const refused = RefusedPayload.safeParse(value);
  return refused.success ? refused.data.refusedPayload : null;
}
