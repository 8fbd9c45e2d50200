import { setTimeout as delay } from 'node:timers/promises';

/** Something that comes later than this after it was due was held up by no busy machine: the process was paused. */
const LATE_MS = 1_000;
const MAX_STEP_MS = 5_000;

/**
 * Time in which this process ran. While every process is paused (SIGSTOP, a frozen container) nobody can report, print or
 * end, so that this time counts against nobody. A pause shows when something comes long after it was due; so wait by
 * `sleep`, for a few seconds at a time: what of a pause lies before the end of a sleep still counts.
 */
export class AwakeTime {
  readonly #pauses: { readonly from: number; readonly to: number }[] = [];
  /** When this is to be used next: at once, or at the end of a sleep. */
  #dueAt = performance.now();

  async sleep(ms: number, signal: AbortSignal): Promise<void> {
    this.#look();
    this.#dueAt = performance.now() + ms;
    await delay(ms, undefined, { signal });
    this.#look();
  }

  /** Milliseconds since a moment of `performance.now()`, without the pauses in between. */
  since(moment: number): number {
    const now = this.#look();
    const paused = this.#pauses.reduce((sum, { from, to }) => sum + Math.max(0, to - Math.max(from, moment)), 0);
    return now - moment - paused;
  }

  #look(): number {
    const now = performance.now();
    if (now - this.#dueAt > LATE_MS) this.#pauses.push({ from: this.#dueAt, to: now });
    this.#dueAt = Math.max(this.#dueAt, now);
    return now;
  }

  /** Wait until so much time has passed since a moment. */
  async reach(moment: number, ms: number, signal: AbortSignal): Promise<void> {
    for (let left = ms - this.since(moment); left > 0; left = ms - this.since(moment)) {
      await this.sleep(Math.min(left, MAX_STEP_MS), signal);
    }
  }
}
