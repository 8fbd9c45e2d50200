import { z } from 'zod';
import { Counters } from '../loop/memo.ts';

/** Heartbeat details of `runRound`: what a follower sees of the current round. */
export const RoundProgress = z.strictObject({
  round: z.int().positive(),
  attempt: z.int().positive(),
  phase: z.enum(['fencing', 'agent', 'checkpointing']),
  startedAt: z.iso.datetime(),
  /** The agent's last activity in one line; null: none yet. */
  activity: z.string().nullable(),
  /** Input and output tokens so far; null: the program does not say. */
  tokens: z.int().nonnegative().nullable(),
  /** Of the state that the attempt was started with; null: from a worker of 0.1.0. */
  counters: Counters.nullable().default(null),
});
export type RoundProgress = z.infer<typeof RoundProgress>;

/** Heartbeat details of `runGates` and `reviewClaim`: what a follower sees of the check under way. */
export const CheckProgress = z.strictObject({
  what: z.enum(['gates', 'review']),
  /** The round whose claim is checked; 0: before the first. */
  round: z.int().nonnegative(),
  /** Counts the runs of the gates, or the reviews, of that round. */
  check: z.int().positive(),
  startedAt: z.iso.datetime(),
  /** The gate under way, or the reviewer's last activity, in one line; null: none yet. */
  activity: z.string().nullable(),
  /** Input and output tokens of a reviewer so far; null: not known. */
  tokens: z.int().nonnegative().nullable(),
  /** Of the state that the check was started with; null: from a worker of 0.1.0. */
  counters: Counters.nullable().default(null),
});
export type CheckProgress = z.infer<typeof CheckProgress>;
