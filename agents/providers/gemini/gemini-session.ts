import { z } from 'zod';
import type { Usage } from '../../../schemas/round/usage.ts';
import { type FollowedFile, followSession } from '../../output/followed-file.ts';
import { jsonLine } from '../../output/json-line.ts';
import { RunningUsage } from '../../usage/running-usage.ts';

const Count = z.int().nonnegative();

/** A message of the model, written again when its tools have run. `input` includes what was read from a cache. */
const Message = z.object({
  id: z.string(),
  type: z.literal('gemini'),
  tokens: z.object({
    input: Count,
    output: Count,
    cached: Count,
    thoughts: Count.default(0),
    tool: Count.default(0),
  }),
});

const SESSION = /^[\da-f]{8}(?=-)/;

/**
 * The session that Gemini CLI writes in its private HOME while it works. It prints what it used at its end alone, which
 * a budget cannot wait for.
 */
export class GeminiSession {
  readonly #home: string;
  #id: string | null = null;
  #file: FollowedFile | null = null;
  readonly #usage = new RunningUsage();

  constructor(home: string) {
    this.#home = home;
  }

  /** It says which session it works in. */
  of(session: string): void {
    this.#id = SESSION.exec(session)?.[0] ?? null;
  }

  /** What the session used so far; null: not known. */
  async usage(): Promise<Usage | null> {
    if (this.#id === null) return null;
    // Below a folder for the project and one for its chats.
    const session = { folder: '.gemini/tmp', depth: 2, nameEnds: `-${this.#id}.jsonl` };
    this.#file ??= await followSession(this.#home, session, (line) => this.#take(line));
    await this.#file?.look();
    return this.#usage.total();
  }

  #take(line: string): void {
    const message = jsonLine(Message, line);
    if (message === null) return;
    const { input, output, cached, thoughts, tool } = message.tokens;
    this.#usage.add(message.id, {
      inputTokens: Math.max(0, input - cached) + tool,
      outputTokens: output + thoughts,
      cacheWriteTokens: 0,
      cacheReadTokens: cached,
    });
  }
}
