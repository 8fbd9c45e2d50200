import { setTimeout as delay } from 'node:timers/promises';

/** A wait that ends later than this after it was due was no busy machine: the process was paused. */
const LATE_MS = 1_000;
const MAX_STEP_MS = 5_000;

/**
 * Time in which this process ran. While every process is paused (SIGSTOP, a frozen container) nobody can report, print or
 * end, so that this time counts against nobody. A pause shows when a wait ends long after it was due; so wait by `sleep`,
 * for a few seconds at a time.
 */
export class AwakeTime {
  readonly #pauses: { readonly from: number; readonly to: number }[] = [];
  #wokeAt = performance.now();

  async sleep(ms: number, signal: AbortSignal): Promise<void> {
    const dueAt = this.#wokeAt + ms;
    await delay(ms, undefined, { signal });
    this.#wokeAt = performance.now();
    if (this.#wokeAt - dueAt > LATE_MS) this.#pauses.push({ from: dueAt, to: this.#wokeAt });
  }

  /** Milliseconds since a moment of `performance.now()`, without the pauses in between. */
  since(moment: number): number {
    const paused = this.#pauses.reduce((sum, { from, to }) => sum + Math.max(0, to - Math.max(from, moment)), 0);
    return performance.now() - moment - paused;
  }

  /** Wait until so much time has passed since a moment. */
  async reach(moment: number, ms: number, signal: AbortSignal): Promise<void> {
    for (let left = ms - this.since(moment); left > 0; left = ms - this.since(moment)) {
      await this.sleep(Math.min(left, MAX_STEP_MS), signal);
    }
  }
}
