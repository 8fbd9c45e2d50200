import type { AwakeTime } from '../../system/awake-time.ts';

/** Share of one processor from which on a silent agent counts as working. A waiting program's timers stay far below. */
const WORKING_SHARE = 0.05;

/** Knows how long an agent has neither printed nor computed. */
export class Quiet {
  readonly #lastOutput: () => number;
  readonly #cpuMs: () => Promise<number | null>;
  readonly #time: AwakeTime;
  #busyAt: number;
  #sample: { at: number; cpu: number | null } | null = null;

  /** @param lastOutput performance.now() of the last output */
  constructor(lastOutput: () => number, cpuMs: () => Promise<number | null>, time: AwakeTime) {
    this.#lastOutput = lastOutput;
    this.#cpuMs = cpuMs;
    this.#time = time;
    this.#busyAt = performance.now();
  }

  /** Milliseconds of quiet up to now. Call it regularly: processor time counts between two calls. */
  async ms(): Promise<number> {
    const cpu = await this.#cpuMs();
    const at = performance.now();
    if (this.#worked(cpu)) this.#busyAt = at;
    this.#sample = { at, cpu };
    return this.#time.since(Math.max(this.#busyAt, this.#lastOutput()));
  }

  #worked(cpu: number | null): boolean {
    if (cpu === null || this.#sample === null || this.#sample.cpu === null) return false;
    // A sum that shrank lost a process: that too is something happening.
    return Math.abs(cpu - this.#sample.cpu) > this.#time.since(this.#sample.at) * WORKING_SHARE;
  }
}
