import { z } from 'zod';
import { Budgets } from '../budget/budget.ts';

/** What a person may tell a live run. Nothing of it changes its objective. */
export const Steer = z.discriminatedUnion('kind', [
  /** `now`: the round under way is disposed of and its work kept; else it is let end. */
  z.strictObject({ kind: z.literal('pause'), now: z.boolean() }),
  z.strictObject({ kind: z.literal('resume') }),
  /** End after the round under way. */
  z.strictObject({ kind: z.literal('stop') }),
  /** End a durable wait. */
  z.strictObject({ kind: z.literal('retry') }),
  /** Raise budgets to these totals; what is lower than now, or null, changes nothing. Sent twice it does no more. */
  z.strictObject({ kind: z.literal('raise'), maxRounds: z.int().positive().nullable(), budgets: Budgets }),
]);
export type Steer = z.infer<typeof Steer>;

/** What the loop still has to obey. */
export const Steering = z.strictObject({ pause: z.boolean(), stop: z.boolean() });
export type Steering = z.infer<typeof Steering>;
export const freeRun: Steering = { pause: false, stop: false };
