import { setTimeout as delay } from 'node:timers/promises';

const POLL_MS = 25;

/** The first value that is neither null nor false, asked for again and again; fails after `ms`, saying what was awaited. */
export async function waitFor<T>(what: string, ms: number, ask: () => Promise<T | null | false> | T | null | false) {
  const deadline = Date.now() + ms;
  for (;;) {
    const value = await ask();
    if (value !== null && value !== false) return value;
    if (Date.now() > deadline) throw new Error(`waited ${ms} ms in vain for ${what}`);
    await delay(POLL_MS);
  }
}
