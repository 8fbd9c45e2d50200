import { z } from 'zod';
import { Allowance, noAllowance } from '../budget/budget.ts';
import { handedOn } from './handed-on.ts';
import { RunRequest } from '../run/run.ts';

/** Argument of the activity `runRound`: everything a round needs, re-sent from Temporal every time. */
export const RoundInput = z.strictObject({
  request: RunRequest,
  round: z.int().positive(),
  /** The last attempt at this round whose outcome the loop knows; 0: none. A later finished one is taken as it is. */
  afterAttempt: z.int().nonnegative(),
  ...handedOn,
  /** Why the report of the attempt before was refused; null where it was not. */
  refusal: z.string().nullable(),
  /** Whether the run's fallback agent makes the attempt. */
  fallback: z.boolean().default(false),
  /** Most rounds of the run by now; null: as the request has it. */
  maxRounds: z.int().positive().nullable().default(null),
  allowance: Allowance.default(noAllowance),
});
export type RoundInput = z.infer<typeof RoundInput>;

/** How far the loop knows the attempts of the round under way. */
export const KnownAttempts = z.strictObject({ round: z.int().positive(), afterAttempt: z.int().nonnegative() });
export type KnownAttempts = z.infer<typeof KnownAttempts>;

/** Heartbeat details of `runRound`: what a follower sees of the round under way. */
export const RoundProgress = z.strictObject({
  round: z.int().positive(),
  attempt: z.int().positive(),
  phase: z.enum(['fencing', 'agent', 'checkpointing']),
  startedAt: z.iso.datetime(),
  /** The agent's last activity in one line; null: none yet. */
  activity: z.string().nullable(),
  /** Input and output tokens so far; null: the program does not say. */
  tokens: z.int().nonnegative().nullable(),
});
export type RoundProgress = z.infer<typeof RoundProgress>;
