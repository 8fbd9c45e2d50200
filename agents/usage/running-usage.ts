import type { Usage } from '../../schemas/round/usage.ts';

const MAX_MESSAGES = 64;

/** Sums what a stream states of its messages' tokens. Each counts once, with the most that was stated of it. */
export class RunningUsage {
  #total: Usage | null = null;
  /** Of the last messages alone: what is stated again of an older one would count twice, and no program does that. */
  readonly #messages = new Map<string, Usage>();

  add(id: string, usage: Usage): void {
    const before = this.#messages.get(id) ?? NOTHING;
    const now = eachUsage(usage, before, Math.max);
    this.#messages.delete(id);
    this.#messages.set(id, now);
    const added = eachUsage(now, before, (a, b) => a - b);
    this.#total = eachUsage(this.#total ?? NOTHING, added, (a, b) => a + b);
    const [oldest] = this.#messages.keys();
    if (this.#messages.size > MAX_MESSAGES && oldest !== undefined) this.#messages.delete(oldest);
  }

  /** Null: nothing was stated. */
  total(): Usage | null {
    return this.#total;
  }
}

const NOTHING: Usage = { inputTokens: 0, outputTokens: 0, cacheWriteTokens: 0, cacheReadTokens: 0 };

/** Two usages, figure by figure. */
export function eachUsage(a: Usage, b: Usage, combine: (a: number, b: number) => number): Usage {
  return {
    inputTokens: combine(a.inputTokens, b.inputTokens),
    outputTokens: combine(a.outputTokens, b.outputTokens),
    cacheWriteTokens: combine(a.cacheWriteTokens, b.cacheWriteTokens),
    cacheReadTokens: combine(a.cacheReadTokens, b.cacheReadTokens),
  };
}
