import { condition } from '@temporalio/workflow';
import type { LoopState } from '../schemas/loop/loop.ts';
import type { LoopRun } from './loop-run.ts';

/** Stand still for as long as a person wants it. @param round the round under way, or the next */
export async function obeyPause(
  { remember, steered }: Pick<LoopRun, 'remember' | 'steered'>,
  state: LoopState | null,
  round: number,
): Promise<void> {
  if (!steered.pause || steered.stop) return;
  remember(state, { status: 'paused', round });
  await condition(() => !steered.pause || steered.stop);
}
