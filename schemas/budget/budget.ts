import { z } from 'zod';

/** What a run may use up beside its rounds. Null: no limit. */
export const Budgets = z.strictObject({
  /** Time worked, in milliseconds: attempts, gates and reviews. Durable waits are apart. */
  maxTimeMs: z.int().positive().nullable(),
  /** Input, output and cache writes; cache reads are apart. */
  maxTokens: z.int().positive().nullable(),
  /** In US dollars. */
  maxCostUsd: z.number().positive().nullable(),
  /** Durable waits, all together, in milliseconds. */
  maxWaitMs: z.int().positive().nullable(),
});
export type Budgets = z.infer<typeof Budgets>;
export const noBudgets: Budgets = { maxTimeMs: null, maxTokens: null, maxCostUsd: null, maxWaitMs: null };

/** Which budget ended a run. */
export const BudgetName = z.enum(['rounds', 'time', 'tokens', 'cost', 'wait']);
export type BudgetName = z.infer<typeof BudgetName>;

/** What something used up. */
export const Use = z.strictObject({
  timeMs: z.number().nonnegative(),
  tokens: z.number().nonnegative(),
  costUsd: z.number().nonnegative(),
});
export type Use = z.infer<typeof Use>;
export const noUse: Use = { timeMs: 0, tokens: 0, costUsd: 0 };

/** How many rounds the next one's use is expected from. */
export const RECENT_ROUNDS = 5;

/** Of which sums a part is an estimate. */
export const Estimates = z.strictObject({ timeMs: z.boolean(), tokens: z.boolean(), costUsd: z.boolean() });
export type Estimates = z.infer<typeof Estimates>;
const noEstimates: Estimates = { timeMs: false, tokens: false, costUsd: false };

/** 0.1.0 wrote `untold` for `unreported`. */
function newNames(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('untold' in value)) return value;
  const { untold: unreported, ...rest } = value;
  return { ...rest, unreported };
}

const SpentFields = z.strictObject({
  ...Use.shape,
  waitMs: z.number().nonnegative(),
  cacheReadTokens: z.number().nonnegative(),
  /** Whether a part of it is an estimate: a price table's, or for an attempt that was lost before it reported its usage. */
  estimated: z.boolean(),
  /** Which part that is; null: written before this was recorded. */
  estimates: Estimates.nullable().default(null),
  /** Attempts and reviews that reported no tokens, or no cost: what they used is not in the sums. */
  unreported: z.strictObject({ tokens: z.int().nonnegative(), costUsd: z.int().nonnegative() }),
  /** Of the round under way. */
  round: Use,
  /** Of the last rounds, the latest last, at most `RECENT_ROUNDS`. */
  recent: z.array(Use),
});

/** All that a run has used so far. */
export const Spent = z.preprocess(newNames, SpentFields);
export type Spent = z.infer<typeof Spent>;

export const nothingSpent: Spent = {
  ...noUse,
  waitMs: 0,
  cacheReadTokens: 0,
  estimated: false,
  estimates: noEstimates,
  unreported: { tokens: 0, costUsd: 0 },
  round: noUse,
  recent: [],
};

/** What an attempt may still use; null: no limit. Held in mid-round where the program's stream tells its usage. */
export const Allowance = z.strictObject({
  timeMs: z.number().positive().nullable(),
  tokens: z.number().positive().nullable(),
  costUsd: z.number().positive().nullable(),
});
export type Allowance = z.infer<typeof Allowance>;
export const noAllowance: Allowance = { timeMs: null, tokens: null, costUsd: null };

/** What a person may raise while the run is live. */
export const Ceilings = z.strictObject({ maxRounds: z.int().positive(), budgets: Budgets });
export type Ceilings = z.infer<typeof Ceilings>;

/** What is left for the next attempt. Nothing may be used up. */
export function allowanceOf(spent: Spent, budgets: Budgets): Allowance {
  return {
    timeMs: left(budgets.maxTimeMs, spent.timeMs),
    tokens: left(budgets.maxTokens, spent.tokens),
    costUsd: left(budgets.maxCostUsd, spent.costUsd),
  };
}

const left = (limit: number | null, used: number): number | null => (limit === null ? null : limit - used);

/** Which sums are estimates in part: all of them, where older records tell no more than that something is. */
export const estimatesOf = ({ estimated, estimates }: Pick<Spent, 'estimated' | 'estimates'>): Estimates =>
  estimates ?? { timeMs: estimated, tokens: estimated, costUsd: estimated };
