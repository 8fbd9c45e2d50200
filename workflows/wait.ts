import { sleep } from '@temporalio/workflow';
import type { Fault } from '../schemas/fault.ts';
import type { LoopState } from '../schemas/loop.ts';
import type { LoopRun } from './loop-run.ts';

/** A durable wait before another attempt. `round`: 0 before the workspace is prepared. */
export interface Wait {
  readonly round: number;
  readonly delayMs: number;
  readonly fault: Fault;
}

/** Wait on Temporal's clock, and say so in the memo: until when, and why. */
export async function waitOut({ remember }: LoopRun, state: LoopState | null, wait: Wait): Promise<void> {
  const { round, delayMs, fault } = wait;
  const until = new Date(Date.now() + delayMs).toISOString();
  remember(state, { status: 'waiting', round, until, why: `${fault.code}: ${fault.message}` });
  await sleep(delayMs);
}
