/** Share of one processor from which on a silent agent counts as working. A waiting program's timers stay far below. */
const WORKING_SHARE = 0.05;

/** Knows how long an agent has neither printed nor computed. */
export class Quiet {
  readonly #lastOutput: () => number;
  readonly #cpuMs: () => Promise<number | null>;
  #busyAt: number;
  #sample: { at: number; cpu: number | null } | null = null;

  /** @param lastOutput performance.now() of the last output */
  constructor(lastOutput: () => number, cpuMs: () => Promise<number | null>) {
    this.#lastOutput = lastOutput;
    this.#cpuMs = cpuMs;
    this.#busyAt = performance.now();
  }

  /** Milliseconds of quiet up to now. Call it regularly: processor time counts between two calls. */
  async ms(): Promise<number> {
    const cpu = await this.#cpuMs();
    const at = performance.now();
    if (this.#worked(at, cpu)) this.#busyAt = at;
    this.#sample = { at, cpu };
    return at - Math.max(this.#busyAt, this.#lastOutput());
  }

  #worked(at: number, cpu: number | null): boolean {
    if (cpu === null || this.#sample === null || this.#sample.cpu === null) return false;
    // A sum that shrank lost a process: that too is something happening.
    return Math.abs(cpu - this.#sample.cpu) > (at - this.#sample.at) * WORKING_SHARE;
  }
}
