import { z } from 'zod';
import { type Budgets, noBudgets } from './budget.ts';
import { Duration, parseDuration } from '../text/duration.ts';

const UNITS = { '': 1, k: 1_000, M: 1_000_000, G: 1_000_000_000 } as const;

/** An amount of tokens as people write it: "5M", "1.5M", "500k", "20000". */
const TOKEN_COUNT = /^(\d{1,15})(\.\d{1,9})?([kMG]?)$/;

/** Tokens of a text such as "5M", at least 1; null where the text is none. */
export function parseTokenCount(text: string): number | null {
  const parts = TOKEN_COUNT.exec(text.trim());
  if (parts === null) return null;
  const [, whole = '', fraction = '', unit] = parts;
  const known = unit === 'k' || unit === 'M' || unit === 'G' ? unit : '';
  const tokens = Math.round(Number(whole + fraction) * UNITS[known]);
  return Number.isSafeInteger(tokens) && tokens > 0 ? tokens : null;
}

/** The same where a file holds it: a text, or a plain number. */
const TokenCount = z.union([
  z.int().positive(),
  z
    .string()
    .regex(TOKEN_COUNT, 'must be a number of tokens such as 20000, "500k" or "5M"')
    .refine((text) => parseTokenCount(text) !== null, 'must be at least 1'),
]);

/** The least that a cost budget may be: what is smaller would be shown as nothing. */
export const LEAST_COST_USD = 0.01;

/** Budgets as a file holds them: ralph.json what a run gets, config.json what one may ask for. */
export const budgetWords = {
  maxTime: Duration.optional(),
  maxTokens: TokenCount.optional(),
  maxCost: z.number().min(LEAST_COST_USD, `must be at least ${LEAST_COST_USD}, a cent`).optional(),
  maxWait: Duration.optional(),
};

type BudgetWords = { readonly [Name in keyof typeof budgetWords]?: z.infer<(typeof budgetWords)[Name]> };

/** What a file says of budgets; null where it says nothing. */
export function budgetsOf({ maxTime, maxTokens, maxCost, maxWait }: BudgetWords): Budgets {
  return {
    ...noBudgets,
    maxTimeMs: maxTime === undefined ? null : parseDuration(maxTime),
    maxTokens: typeof maxTokens === 'string' ? parseTokenCount(maxTokens) : (maxTokens ?? null),
    maxCostUsd: maxCost ?? null,
    maxWaitMs: maxWait === undefined ? null : parseDuration(maxWait),
  };
}
