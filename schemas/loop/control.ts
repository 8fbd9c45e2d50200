import { z } from 'zod';
import { Budgets } from '../budget/budget.ts';

/** What a person may tell a live run. None of it changes the objective. */
export const Control = z.discriminatedUnion('kind', [
  /** `now`: dispose of the current round and keep its work; otherwise let it end first. */
  z.strictObject({ kind: z.literal('pause'), now: z.boolean() }),
  z.strictObject({ kind: z.literal('resume') }),
  /** End after the current round. */
  z.strictObject({ kind: z.literal('stop') }),
  /** End a durable wait. */
  z.strictObject({ kind: z.literal('retry') }),
  /** Raise budgets to these totals; what is lower than now, or null, changes nothing. Sent twice it does no more. */
  z.strictObject({ kind: z.literal('raise'), maxRounds: z.int().positive().nullable(), budgets: Budgets }),
]);
export type Control = z.infer<typeof Control>;

/** A control as it is sent. The loop obeys a nonce once, so that an old signal that is sent again does nothing. */
export const ControlMessage = z.strictObject({ nonce: z.string().min(1).max(64), control: Control });
export type ControlMessage = z.infer<typeof ControlMessage>;

/** Most control signals that a run takes: it remembers the nonce of each. */
export const MAX_CONTROLS = 1_000;

/** What the loop still has to obey. */
export const Controls = z.strictObject({ pause: z.boolean(), stop: z.boolean() });
export type Controls = z.infer<typeof Controls>;
export const noControls: Controls = { pause: false, stop: false };
