import type { TemporalRun } from '../view/temporal-run.ts';
import { type Asked, controlRun } from './control-run.ts';

const WITHIN_MS = 15_000;
/** A paused or waiting run ends at once, when its workspace is released. */
const ENDS_WITHIN_MS = 30_000;

/** End a run when its round ends. @returns the run after that; one that was paused or waited has ended. Throws RalphError. */
export async function stopRun(asked: Omit<Asked, 'done'>): Promise<TemporalRun> {
  const { after } = await controlRun({ ...asked, done: 'stopped' }, (before) => {
    const isIdle = before.memo !== null && ['paused', 'waiting'].includes(before.memo.status);
    return {
      control: { kind: 'stop' },
      applied: ({ memo }) => !isIdle && memo !== null && memo.controls.stop,
      withinMs: isIdle ? ENDS_WITHIN_MS : WITHIN_MS,
    };
  });
  return after;
}
