import { setTimeout as delay } from 'node:timers/promises';

const POLL_MS = 25;
/** A busy machine may need long. A bound that is not met costs nothing. */
const LEAST_MS = 60_000;

/**
 * The first value that is neither null nor false, asked for again and again; fails after `ms`, but not within a minute,
 * and says what was awaited.
 */
export async function waitFor<T>(what: string, ms: number, ask: () => Promise<T | null | false> | T | null | false) {
  const patienceMs = Math.max(ms, LEAST_MS);
  const deadline = Date.now() + patienceMs;
  for (;;) {
    const value = await ask();
    if (value !== null && value !== false) return value;
    if (Date.now() > deadline) throw new Error(`waited ${patienceMs} ms in vain for ${what}`);
    await delay(POLL_MS);
  }
}
