import type { TemporalRun } from '../../client/view/temporal-run.ts';
import type { RunSummary } from '../../client/view/run-view.ts';
import type { RunMemo } from '../../schemas/loop/memo.ts';
import { clock } from './amounts.ts';
import { printableLine } from '../terminal/printable.ts';

/** What a run does, in a few words: "in round 3", "waiting", "checking the claim of round 2". */
export function doing({ status, round, why }: Pick<RunSummary, 'status' | 'round' | 'why'>): string {
  switch (status) {
    case 'running':
      return `in round ${round ?? '?'}`;
    case 'checking':
      return why === null ? `checking the claim of round ${round ?? '?'}` : `in its ${printableLine(why)}`;
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
    case 'terminated':
    case 'failed':
    case 'unknown':
      return status;
    default:
      return status satisfies never;
  }
}

/** When what was under way ends, as the moment for a pause or a stop. */
function moment(memo: RunMemo): string {
  const { status, round } = memo;
  if (status === 'running') return `when round ${round} has ended`;
  if (status === 'checking') {
    return round === 0 ? 'when the check before round 1 has ended' : `when the check of round ${round} has ended`;
  }
  return status === 'starting' || status === 'preparing' ? 'when its workspace is prepared, before round 1' : 'at once';
}

const isEnding = (memo: RunMemo): boolean => doing(memo).startsWith('ending');
const unheard = (runId: string, what: string): string =>
  `The ${what} is on its way: ${runId} hears it when a worker is there.`;

export const endedMeanwhile = (runId: string): string =>
  `${runId} has ended meanwhile; \`ralph why ${runId}\` tells why.`;

/** What comes of a pause. `run`: as it stands after it was told; open. `now`: the round was not to be waited for. */
export function pauseText({ runId, memo }: TemporalRun, now: boolean): string {
  const resume = `ralph resume ${runId}`;
  if (memo === null || !memo.steering.pause) return unheard(runId, 'pause');
  if (memo.status === 'paused') return `${runId} is paused.   Go on: ${resume}`;
  if (isEnding(memo)) return `${runId} is ${doing(memo)}: there is nothing to pause.`;
  if (now && (memo.status === 'running' || memo.status === 'checking')) {
    return `${runId} is to pause at once, and what it does is still being disposed of.   Look: ralph show ${runId}`;
  }
  const canEnd = memo.status === 'running' || memo.status === 'checking';
  const atOnce = canEnd ? `   At once: ralph pause ${runId} --now` : '';
  return `${runId} pauses ${moment(memo)}.${atOnce}   Take it back: ${resume}`;
}

/** What comes of a stop. `run`: as it stands after it was told; open. */
export function stopText({ runId, memo }: TemporalRun): string {
  if (memo === null || !memo.steering.stop) return unheard(runId, 'stop');
  if (isEnding(memo)) return `${runId} is ${doing(memo)}.`;
  const unless = memo.status === 'checking' ? ', unless the claim stands: then it is complete' : '';
  return `${runId} stops ${moment(memo)}${unless}.   Follow: ralph watch ${runId}   At once: ralph cancel ${runId}`;
}

/** What comes of a resume. `after`: as the run stands after it was told; open. */
export function resumeText({ memo: before }: TemporalRun, { runId, memo }: TemporalRun): string {
  if (memo === null || memo.steering.pause) return unheard(runId, 'resume');
  if (before !== null && !before.steering.pause) return `${runId} was not paused: it is ${doing(memo)}.`;
  return `${runId} goes on: it is ${doing(memo)}.   Follow: ralph watch ${runId}`;
}

/** What comes of a retry. `run`: as it stands after it was told; open. `before`: until when it waited. */
export function retryText({ runId, memo }: TemporalRun, before: string | null, now: number): string {
  if (memo === null || (memo.status === 'waiting' && memo.until === before)) return unheard(runId, 'retry');
  if (memo.status !== 'waiting' || memo.until === null) {
    return `The wait is over: ${runId} is ${doing(memo)}.   Follow: ralph watch ${runId}`;
  }
  const why = memo.why === null ? '' : `: ${printableLine(memo.why)}`;
  return `${runId} tried again, and waits anew until ${clock(memo.until, now)}${why}`;
}
