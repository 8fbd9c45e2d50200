import { setTimeout as delay } from 'node:timers/promises';

/** What `promise` gives within so many milliseconds, else null. */
export async function within<T>(ms: number, promise: Promise<T>): Promise<T | null> {
  const over = new AbortController();
  try {
    return await Promise.race([promise, delay(ms, null, { signal: over.signal })]);
  } finally {
    over.abort();
  }
}
