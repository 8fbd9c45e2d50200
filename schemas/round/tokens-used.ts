import type { Usage } from './usage.ts';

/** Tokens that count: input, output and cache writes. Null: the program did not say. */
export function tokensUsed(usage: Usage | null): number | null {
  return usage === null ? null : usage.inputTokens + usage.outputTokens + usage.cacheWriteTokens;
}
