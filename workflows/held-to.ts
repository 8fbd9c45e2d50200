import { ApplicationFailure } from '@temporalio/workflow';
import type { z } from 'zod';
import { refusal } from '../schemas/loop/refused-payload.ts';

/** Type of the failure that `heldTo` throws. */
export const REFUSED_RESULT = 'refused-result';

/** Hold what an activity returned to its schema: whoever reaches the server can complete an activity with anything. */
export function heldTo<S extends z.ZodType>(schema: S, value: unknown): z.infer<S> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const why = refusal(value);
  const message = why === null ? `An activity's result is not what it should be: ${parsed.error.message}` : why;
  throw ApplicationFailure.nonRetryable(message, REFUSED_RESULT);
}
