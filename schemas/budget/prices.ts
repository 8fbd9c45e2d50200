import { z } from 'zod';
import type { Usage } from '../round/usage.ts';

const Dollars = z.number().nonnegative();

/** What a model costs, in US dollars per million tokens. */
export const Price = z.strictObject({ input: Dollars, output: Dollars, cacheWrite: Dollars, cacheRead: Dollars });
export type Price = z.infer<typeof Price>;

/** Prices by the models' ids, and of what day they are: what is estimated by them is as good as that. */
export const PriceTable = z.strictObject({
  asOf: z.iso.date(),
  source: z.string().min(1),
  models: z.record(z.string().min(1), Price),
});
export type PriceTable = z.infer<typeof PriceTable>;

/** `$RALPH_HOME/prices.json`: models that are missing, or have another price. */
export const OwnPrices = PriceTable.partial({ asOf: true, source: true });

/** The price of a model; null: not known. A date at the end of its id, and a window in brackets, change nothing. */
export function priceOf(model: string, { models }: PriceTable): Price | null {
  const bare = model.replace(/\[[^\]]*\]$/, '');
  const undated = bare.replace(/-(?:\d{8}|\d{4}-\d{2}-\d{2})$/, '');
  for (const id of [model, bare, undated]) {
    if (Object.hasOwn(models, id)) return models[id] ?? null;
  }
  return null;
}

const MILLION = 1_000_000;

/** What tokens cost at a price, in US dollars. */
export const costAt = (price: Price, usage: Usage): number =>
  (usage.inputTokens * price.input +
    usage.outputTokens * price.output +
    usage.cacheWriteTokens * price.cacheWrite +
    usage.cacheReadTokens * price.cacheRead) /
  MILLION;
