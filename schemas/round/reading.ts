import { z } from 'zod';
import { FinishedAttempt } from './round.ts';

/**
 * What an attempt came to once its agent was disposed of, without its checkpoint. Written down before the work is
 * committed: a worker that is killed right then must not cost the report.
 */
export const Reading = z.strictObject({
  attempt: FinishedAttempt,
  /** What its checkpoint's notes begin with. */
  notes: z.array(z.string()),
});
export type Reading = z.infer<typeof Reading>;
