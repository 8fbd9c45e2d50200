import path from 'node:path';
import { z } from 'zod';
import type { Usage } from '../../../schemas/round/usage.ts';
import { type FollowedFile, followSession } from '../../output/followed-file.ts';
import { jsonLine } from '../../output/json-line.ts';
import { eachUsage } from '../../usage/running-usage.ts';

/** Where Codex lives in the private HOME. */
export const CODEX_HOME = '.codex';

/** Tokens as Codex states them: `input_tokens` includes those that were read from a cache or written to it. */
export const CodexUsage = z
  .object({
    input_tokens: z.int().nonnegative(),
    cached_input_tokens: z.int().nonnegative(),
    cache_write_input_tokens: z.int().nonnegative().default(0),
    output_tokens: z.int().nonnegative(),
  })
  .transform(
    ({
      input_tokens: input,
      cached_input_tokens: cacheRead,
      cache_write_input_tokens: cacheWrite,
      ...usage
    }): Usage => ({
      inputTokens: Math.max(0, input - cacheRead - cacheWrite),
      outputTokens: usage.output_tokens,
      cacheWriteTokens: cacheWrite,
      cacheReadTokens: cacheRead,
    }),
  );

/** After each answer of the model: what the thread used so far. */
const TokenCount = z.object({
  type: z.literal('event_msg'),
  payload: z.object({ type: z.literal('token_count'), info: z.object({ total_token_usage: CodexUsage }) }),
});

const THREAD = /^[\w-]{1,64}$/;
/**
 * The session that Codex writes in its private HOME while it works. It prints what it used at the end of its turn alone,
 * which a budget cannot wait for.
 */
export class CodexSession {
  readonly #home: string;
  #thread: string | null = null;
  #file: FollowedFile | null = null;
  #usage: Usage | null = null;

  constructor(home: string) {
    this.#home = home;
  }

  /** It says which thread it works in. */
  of(thread: string): void {
    if (THREAD.test(thread)) this.#thread = thread;
  }

  /** What the thread used so far; null: not known. */
  async usage(): Promise<Usage | null> {
    if (this.#thread === null) return null;
    // Below year, month and day.
    const session = { folder: path.join(CODEX_HOME, 'sessions'), depth: 3, nameEnds: `-${this.#thread}.jsonl` };
    this.#file ??= await followSession(this.#home, session, (line) => this.#take(line));
    await this.#file?.look();
    return this.#usage;
  }

  #take(line: string): void {
    const now = jsonLine(TokenCount, line)?.payload.info.total_token_usage;
    if (now !== undefined) this.#usage = this.#usage === null ? now : eachUsage(this.#usage, now, Math.max);
  }
}
