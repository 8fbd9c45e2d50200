import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import type { Usage } from '../../../schemas/round/usage.ts';
import { FollowedFile } from '../../output/followed-file.ts';
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
/** Year, month and day. */
const DEPTH = 3;
const MAX_FOLDERS = 64;

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
    this.#file ??= await this.#find();
    await this.#file?.look();
    return this.#usage;
  }

  async #find(): Promise<FollowedFile | null> {
    if (this.#thread === null) return null;
    const suffix = `-${this.#thread}.jsonl`;
    let folders = [path.join(CODEX_HOME, 'sessions')];
    for (let depth = 0; depth < DEPTH; depth += 1) folders = await this.#foldersIn(folders);
    for (const folder of folders) {
      const name = (await this.#entriesIn(folder)).find((entry) => entry.endsWith(suffix));
      if (name !== undefined) return new FollowedFile(this.#home, path.join(folder, name), (line) => this.#take(line));
    }
    return null;
  }

  async #foldersIn(folders: readonly string[]): Promise<string[]> {
    const found: string[] = [];
    for (const folder of folders) {
      for (const entry of await this.#entriesIn(folder)) found.push(path.join(folder, entry));
    }
    return found.slice(0, MAX_FOLDERS);
  }

  async #entriesIn(folder: string): Promise<string[]> {
    // Not there yet, or no folder.
    return await readdir(path.join(this.#home, folder)).catch(() => []);
  }

  #take(line: string): void {
    const now = jsonLine(TokenCount, line)?.payload.info.total_token_usage;
    if (now !== undefined) this.#usage = this.#usage === null ? now : eachUsage(this.#usage, now, Math.max);
  }
}
