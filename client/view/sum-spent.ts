import type { Spent } from '../../schemas/budget/budget.ts';

/** What several runs used, all together; a round is expected to use what those of the first did. */
export function sumSpent(all: readonly Spent[]): Spent {
  return all.reduce((a, b) => ({
    ...a,
    timeMs: a.timeMs + b.timeMs,
    tokens: a.tokens + b.tokens,
    costUsd: a.costUsd + b.costUsd,
    waitMs: a.waitMs + b.waitMs,
    cacheReadTokens: a.cacheReadTokens + b.cacheReadTokens,
    estimated: a.estimated || b.estimated,
  }));
}
