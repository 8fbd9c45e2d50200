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

/** Of 0.1.0, which wrote `untold` for `unreported`, and at first only that some sum was an estimate. */
const OldSpent = z.looseObject({ estimated: z.boolean() });

function newNames(value: unknown): unknown {
  const old = OldSpent.safeParse(value);
  if (!old.success) return value;
  const { estimated, estimates, untold, unreported, ...rest } = old.data;
  const any = { timeMs: estimated, tokens: estimated, costUsd: estimated };
  return { ...rest, estimates: estimates ?? any, unreported: unreported ?? untold };
}

const SpentFields = z.strictObject({
  ...Use.shape,
  waitMs: z.number().nonnegative(),
  cacheReadTokens: z.number().nonnegative(),
  /** Which sums are estimates in part: by the price table, or for an attempt that was lost before it reported its usage. */
  estimates: Estimates,
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
  estimates: noEstimates,
  unreported: { tokens: 0, costUsd: 0 },
  round: noUse,
  recent: [],
};

/** What an attempt may still use; null: no limit. Held in mid-round if the program reports its usage while it works. */
export interface Allowance {
  readonly timeMs: number | null;
  readonly tokens: number | null;
  readonly costUsd: number | null;
}

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
