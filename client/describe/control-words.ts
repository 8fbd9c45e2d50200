import { clock } from './amounts.ts';
import type { TemporalRun } from '../view/temporal-run.ts';
import type { RunMemo } from '../../schemas/loop/memo.ts';
import { printableLine } from '../../system/printable.ts';

/** What a live run does, in a few words: "in round 3", "waiting", "verifying the completion claim of round 2". */
export function doing({ status, round, why }: Pick<RunMemo, 'status' | 'round' | 'why'>): string {
  switch (status) {
    case 'running':
      return `in round ${round}`;
    case 'checking':
      return why === null ? `verifying the completion claim of round ${round}` : `in its ${printableLine(why)}`;
    case 'starting':
    case 'preparing':
      return 'preparing its workspace';
    case 'waiting':
    case 'paused':
      return status;
    case 'complete':
    case 'blocked':
    case 'budget-limited':
    case 'stalled':
    case 'stopped':
    case 'round-failed':
    case 'cancelled':
      return `ending (${status})`;
    default:
      return status satisfies never;
  }
}

/** When what a run does now ends, as the moment for a pause or a stop. */
function moment(memo: RunMemo): string {
  const { status, round } = memo;
  if (status === 'running') return `when round ${round} ends`;
  if (status === 'checking') {
    return round === 0 ? 'when the check before round 1 ends' : `when the verification of round ${round} ends`;
  }
  return status === 'starting' || status === 'preparing' ? 'when its workspace is prepared, before round 1' : 'at once';
}

const isEnding = (memo: RunMemo): boolean => doing(memo).startsWith('ending');
const unheard = (runId: string, what: string): string =>
  `The ${what} is sent. ${runId} receives it when a worker is alive.`;

/** What comes of a pause. `run`: as it is after the pause was sent; live. `now`: without waiting for the round. */
export function pauseText({ runId, memo }: TemporalRun, now: boolean): string {
  const resume = `ralph resume ${runId}`;
  if (memo === null || !memo.controls.pause) return unheard(runId, 'pause');
  if (memo.status === 'paused') return `${runId} is paused.   Resume: ${resume}`;
  if (isEnding(memo)) return `${runId} is ${doing(memo)}: there is nothing to pause.`;
  const canEnd = memo.status === 'running' || memo.status === 'checking';
  if (now && canEnd) {
    return `${runId} pauses at once. What it was doing is still being disposed of.   Show: ralph show ${runId}`;
  }
  const atOnce = canEnd ? `   At once: ralph pause ${runId} --now` : '';
  return `${runId} pauses ${moment(memo)}.${atOnce}   Undo: ${resume}`;
}

/** What comes of a stop. `run`: as it is after the stop was sent; live. */
export function stopText({ runId, memo }: TemporalRun): string {
  if (memo === null || !memo.controls.stop) return unheard(runId, 'stop');
  if (isEnding(memo)) return `${runId} is ${doing(memo)}.`;
  const unless = memo.status === 'checking' ? ', unless the completion claim is accepted: then it is complete' : '';
  return `${runId} stops ${moment(memo)}${unless}.   Follow: ralph watch ${runId}   At once: ralph cancel ${runId}`;
}

/** What comes of a resume. `after`: as the run is after the resume was sent; live. */
export function resumeText({ memo: before }: TemporalRun, { runId, memo }: TemporalRun): string {
  if (memo === null || memo.controls.pause) return unheard(runId, 'resume');
  if (before !== null && !before.controls.pause) return `${runId} was not paused: it is ${doing(memo)}.`;
  return `${runId} is resumed: it is ${doing(memo)}.   Follow: ralph watch ${runId}`;
}

/** What comes of a retry. `run`: as it is after the retry was sent; live. `before`: until when it waited. */
export function retryText({ runId, memo }: TemporalRun, before: string | null, now: number): string {
  if (memo === null || (memo.status === 'waiting' && memo.until === before)) return unheard(runId, 'retry');
  if (memo.status !== 'waiting' || memo.until === null) {
    return `The wait is over: ${runId} is ${doing(memo)}.   Follow: ralph watch ${runId}`;
  }
  const why = memo.why === null ? '' : `: ${printableLine(memo.why)}`;
  return `${runId} tried again and now waits until ${clock(memo.until, now)}${why}`;
}
