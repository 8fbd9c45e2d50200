import { resumeText } from '../describe/control-words.ts';
import { isEnded } from '../view/run-phase.ts';
import type { TemporalRun } from '../view/temporal-run.ts';
import { type Asked, controlRun } from './control-run.ts';

const WITHIN_MS = 15_000;

/** `ended`: somebody ended the run at the same moment, or is about to. */
export type Resumed =
  { readonly kind: 'resumed'; readonly text: string } | { readonly kind: 'ended'; readonly text: string };

/** Resume a run that is paused, or about to be. Throws RalphError. */
export async function resumePaused(asked: Omit<Asked, 'done'>): Promise<Resumed> {
  const { before, after } = await controlRun({ ...asked, done: 'resumed' }, () => ({
    control: { kind: 'resume' },
    applied: (run) => isEnding(run) || (run.memo !== null && run.memo.status !== 'paused' && !run.memo.controls.pause),
    withinMs: WITHIN_MS,
  }));
  if (after.status === 'open' && !isEnding(after)) return { kind: 'resumed', text: resumeText(before, after) };
  const what = after.status === 'open' ? 'is being ended' : 'has ended';
  return { kind: 'ended', text: `${asked.runId} was not resumed: it ${what}.` };
}

/** Whether a run is about to end, so that a resume has no effect any more. */
const isEnding = ({ memo, cancelRequested }: TemporalRun): boolean =>
  cancelRequested || (memo !== null && isEnded(memo.status));
