import { setTimeout as delay } from 'node:timers/promises';

/** Poll a condition about processes, which send no events to those that are not their parent. True: it came to hold. */
export async function waitUntil(holds: () => boolean, timeoutMs: number): Promise<boolean> {
  const deadline = performance.now() + timeoutMs;
  for (let pause = 1; ; pause = Math.min(pause * 2, 20)) {
    if (holds()) return true;
    if (performance.now() >= deadline) return false;
    await delay(pause);
  }
}
