import { ApplicationFailure } from '@temporalio/workflow';
import type { z } from 'zod';
import { whyRejected } from '../schemas/loop/rejected-payload.ts';

/** Type of the failure that `validate` throws. */
export const INVALID_RESULT = 'rejected-result';

/** Validate what an activity returned: whoever reaches the server can complete an activity with anything. */
export function validate<S extends z.ZodType>(schema: S, value: unknown): z.infer<S> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const why = whyRejected(value);
  const message = why === null ? `An activity's result is not what it should be: ${parsed.error.message}` : why;
  throw ApplicationFailure.nonRetryable(message, INVALID_RESULT);
}
