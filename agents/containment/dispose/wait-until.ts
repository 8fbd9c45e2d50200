import { setTimeout as delay } from 'node:timers/promises';

/**
 * Poll a condition about processes, which send no events to those that are not their parent. True: it came to hold.
 * A condition that throws does not hold: what cannot be seen now, say for want of a file descriptor, may be in a moment.
 * @throws what the condition threw last, where it was still thrown at the end
 */
export async function waitUntil(holds: () => boolean, timeoutMs: number): Promise<boolean> {
  const deadline = performance.now() + timeoutMs;
  for (let pause = 1; ; pause = Math.min(pause * 2, 20)) {
    try {
      if (holds()) return true;
      if (performance.now() >= deadline) return false;
    } catch (error) {
      if (performance.now() >= deadline) throw error;
    }
    await delay(pause);
  }
}
