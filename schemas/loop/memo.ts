import { z } from 'zod';
import { Budgets, noBudgets, nothingSpent, Spent } from '../budget/budget.ts';
import { KnownWork } from './known-work.ts';
import { Receipt } from '../round/receipt.ts';
import { freeRun, Steering } from './steering.ts';

/** What a run is doing, or how it ended. */
export const RunStatus = z.enum([
  'starting',
  'preparing',
  'running',
  'checking',
  'waiting',
  'paused',
  'complete',
  'blocked',
  'budget-limited',
  'stalled',
  'stopped',
  'round-failed',
  'cancelled',
]);
export type RunStatus = z.infer<typeof RunStatus>;

/** Memo key under which a run's workflow keeps its `RunMemo`. */
export const MEMO_KEY = 'ralph';

/**
 * What `list` and `status` show, kept in the run's memo in Temporal so that both work with no worker up.
 * Written by whoever starts the run, then by the workflow.
 */
export const RunMemo = z.strictObject({
  status: RunStatus,
  /** First line of the objective, at most 120 characters. */
  title: z.string(),
  repository: z.string(),
  agent: z.string(),
  hostId: z.string(),
  /** The round under way, or the last one; 0 before the first. */
  round: z.int().nonnegative(),
  maxRounds: z.int().positive(),
  budgets: Budgets.default(noBudgets),
  spent: Spent.default(nothingSpent),
  /** What of the run's work is in `spent`; null: written before that was told. */
  known: KnownWork.nullable().default(null),
  /** What a person asked for and the loop still has to obey. */
  steering: Steering.default(freeRun),
  commit: z.string().nullable(),
  ref: z.string().nullable(),
  /** Until when it waits, where it waits. */
  until: z.iso.datetime().nullable(),
  /** In one line: why it waits or ended. */
  why: z.string().nullable(),
  /** What the last disposal proved, once the run has ended. */
  receipt: Receipt.nullable(),
});
export type RunMemo = z.infer<typeof RunMemo>;
