import { condition } from '@temporalio/workflow';
import { whilePaused } from './control.ts';
import type { Wait } from './decide/events.ts';
import { say, type Run } from './run.ts';

/**
 * Wait on Temporal's clock, and say until when and why. `retry` and `stop` end it; the clock runs on during a pause.
 * @returns milliseconds waited
 */
export async function waitOut(run: Run, { round, delayMs, why }: Wait): Promise<number> {
  const from = Date.now();
  const until = from + delayMs;
  const { retries } = run;
  run.round = round;
  while (Date.now() < until && run.retries === retries && !run.controls.stop) {
    await whilePaused(run);
    say(run, { status: 'waiting', round, until: new Date(until).toISOString(), why });
    const left = until - Date.now();
    if (left > 0) await condition(() => run.retries !== retries || run.controls.stop || run.controls.pause, left);
  }
  return Math.min(Date.now() - from, delayMs);
}
