import { z } from 'zod';

/** Tokens as the agent's program states them. Cache reads stand apart from input. */
export const Usage = z.strictObject({
  inputTokens: z.int().nonnegative(),
  outputTokens: z.int().nonnegative(),
  cacheWriteTokens: z.int().nonnegative(),
  cacheReadTokens: z.int().nonnegative(),
});
export type Usage = z.infer<typeof Usage>;
