import { setTimeout as delay } from 'node:timers/promises';
import type { Quiet } from './quiet.ts';

/** Why the engine stopped waiting for an agent. `broken`: its output could not be kept or read. */
export type Ending = 'exited' | 'hung-after-report' | 'round-timeout' | 'idle-timeout' | 'aborted' | 'broken';

/** How long an agent that has reported may be quiet before it counts as hanging, where its exit says nothing. */
const AFTER_REPORT_MS = 5_000;
const MAX_TICK_MS = 5_000;
const MIN_TICK_MS = 50;

/** Wait until an agent ends, or until it is to be ended. Never rejects; settles at the latest with the round timeout. */
export async function awaitEnding(watched: {
  exited: Promise<unknown>;
  broken: AbortSignal;
  signal: AbortSignal;
  quiet: Quiet;
  reported: () => boolean | Promise<boolean>;
  /** Wait for it after its report as before. */
  exitCounts: boolean;
  roundTimeoutMs: number;
  idleTimeoutMs: number;
}): Promise<Ending> {
  const startedAt = performance.now();
  const over = new AbortController();
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
      const leftMs = watched.roundTimeoutMs - (performance.now() - startedAt);
      if (leftMs <= 0) return reported ? 'hung-after-report' : 'round-timeout';
      if (quietMs >= idleMs) return (await watched.reported()) ? 'hung-after-report' : 'idle-timeout';

      const tick = Math.max(MIN_TICK_MS, Math.min(MAX_TICK_MS, idleMs / 20));
      const ending = await Promise.race([...events, delay(Math.min(tick, leftMs), null, { signal: over.signal })]);
      if (ending !== null) return ending;
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
