import { condition } from '@temporalio/workflow';
import type { LoopState } from '../schemas/loop/loop.ts';
import type { LoopRun } from './loop-run.ts';
import { obeyPause } from './obey-pause.ts';

/** A durable wait before another attempt. `round`: 0 before the workspace is prepared. */
export interface Wait {
  readonly round: number;
  readonly delayMs: number;
  /** In one line. */
  readonly why: string;
}

/**
 * Wait on Temporal's clock, and say so in the memo: until when, and why. `retry` and `stop` end it; a pause goes on
 * beside it. @returns milliseconds waited
 */
export async function waitOut(run: LoopRun, state: LoopState | null, wait: Wait): Promise<number> {
  const { remember, steered } = run;
  const { round, delayMs, why } = wait;
  const from = Date.now();
  const until = from + delayMs;
  const { retries } = steered;
  while (Date.now() < until && steered.retries === retries && !steered.stop) {
    await obeyPause(run, state, round);
    remember(state, {
      status: 'waiting',
      round,
      until: new Date(until).toISOString(),
      why,
    });
    const left = until - Date.now();
    if (left > 0) await condition(() => steered.retries !== retries || steered.stop || steered.pause, left);
  }
  return Math.min(Date.now() - from, delayMs);
}
