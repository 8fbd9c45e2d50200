import type { AwakeTime } from '../../system/awake-time.ts';

/**
 * Why the engine stopped waiting for an agent. `failed`: it goes on, although it has failed. `broken`: its output could not
 * be kept or read.
 */
export type Ending =
  'exited' | 'hung-after-report' | 'failed' | 'budget-spent' | 'round-timeout' | 'idle-timeout' | 'aborted' | 'broken';

/** The grace period: how long an agent may be quiet after its report, where its exit says nothing. */
const AFTER_REPORT_MS = 5_000;
const MAX_TICK_MS = 5_000;
const MIN_TICK_MS = 50;

/** How much an agent may use beyond what is left to it before that is seen. */
const BUDGET_TICK_MS = 500;

/**
 * Wait until an agent ends, or until it is to be ended. Never rejects; settles at the latest with the round timeout. A
 * pause of every process counts neither as silence nor as time of the round.
 */
export async function awaitEnding(watched: {
  exited: Promise<unknown>;
  broken: AbortSignal;
  signal: AbortSignal;
  time: AwakeTime;
  quiet: Pick<Quiet, 'ms'>;
  /** Whether it has submitted a report. Asked at every look. */
  reported: () => boolean | Promise<boolean>;
  /** Whether it has failed and goes on all the same. Asked at every look. */
  hasFailed: (time: Pick<AwakeTime, 'since'>) => boolean | Promise<boolean>;
  /** Its exit code decides: no grace period begins with its report. A limit that ends it still lets the report count. */
  exitCounts: boolean;
  /** Whether it has used up what it may. Asked at every look. */
  overspent: () => Promise<boolean>;
  /** Whether `overspent` can ever be true. */
  budgeted: boolean;
  /** What is left of the run's time; null: no limit. */
  timeLeftMs: number | null;
  roundTimeoutMs: number;
  idleTimeoutMs: number;
}): Promise<Ending> {
  const startedAt = performance.now();
  const { time } = watched;
  const over = new AbortController();
  const lastMs = Math.min(watched.roundTimeoutMs, watched.timeLeftMs ?? Infinity);
  const tooLong = lastMs < watched.roundTimeoutMs ? 'budget-spent' : 'round-timeout';
  const maxTickMs = watched.budgeted ? BUDGET_TICK_MS : MAX_TICK_MS;
  const events: Promise<Ending>[] = [
    watched.exited.then(() => 'exited'),
    aborted(watched.broken, over.signal).then(() => 'broken'),
    aborted(watched.signal, over.signal).then(() => 'aborted'),
  ];
  try {
    for (;;) {
      const reported = !watched.exitCounts && (await watched.reported());
      const idleMs = reported ? Math.min(AFTER_REPORT_MS, watched.idleTimeoutMs) : watched.idleTimeoutMs;
      const quietMs = await watched.quiet.ms();
      const leftMs = lastMs - time.since(startedAt);
      if (leftMs <= 0) return (await watched.reported()) ? 'hung-after-report' : tooLong;
      if (await watched.overspent()) return reported ? 'hung-after-report' : 'budget-spent';
      if (!reported && (await watched.hasFailed(time))) return 'failed';
      if (quietMs >= idleMs) return (await watched.reported()) ? 'hung-after-report' : 'idle-timeout';

      const tick = Math.max(MIN_TICK_MS, Math.min(maxTickMs, idleMs / 20));
      const ending = await Promise.race([...events, time.sleep(Math.min(tick, leftMs), over.signal)]);
      if (ending !== undefined) return ending;
    }
  } finally {
    over.abort();
  }
}

/** `over` takes the listener away again. */
function aborted(signal: AbortSignal, over: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true, signal: over });
  });
}

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
