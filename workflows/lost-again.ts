import { faultPolicy, MAX_PASSING_FAULTS, backoffMs } from './fault-policy.ts';
import type { Fault } from '../schemas/round/fault.ts';
import type { LoopState, Tally } from '../schemas/loop/loop.ts';
import type { UnreleasedEnding } from '../schemas/run/result.ts';
import { waitTooLong } from './budget.ts';
import { limitedBy } from './end-of-budget.ts';
import type { LoopRun } from './loop-run.ts';
import type { Wait } from './wait.ts';

/**
 * Something was lost with its worker, and not by a pause. It is done again at once, as machines and workers are
 * restarted; but a worker that is lost again and again passes like a network. @param what in the plural
 */
export function lostAgain(
  run: LoopRun,
  state: LoopState,
  { round, what }: { round: number; what: string },
):
  | { readonly kind: 'ended'; readonly state: LoopState; readonly ending: UnreleasedEnding }
  | { readonly kind: 'again'; readonly state: LoopState; readonly wait: Wait | null } {
  const tally = oneMore(state.faults.tally);
  const next = { ...state, faults: { ...state.faults, tally } };
  const times = tally.inARow;
  if (times === 1) return { kind: 'again', state: next, wait: null };
  const why = `worker-lost: ${what} were lost ${times} times in a row`;
  if (times >= MAX_PASSING_FAULTS) {
    const fault: Fault = { code: 'engine-error', message: why, resetAt: null };
    const ending = { status: 'round-failed', round, attempts: times, fault, handoff: state.handoff } as const;
    return { kind: 'ended', state: next, ending };
  }
  const delayMs = backoffMs(faultPolicy.network.backoff, times - 1, Math.random());
  const tooLong = waitTooLong(next.spent, run.steered.ceilings.budgets, delayMs);
  if (tooLong !== null) return { kind: 'ended', state: next, ending: limitedBy(next, tooLong) };
  return { kind: 'again', state: next, wait: { round, delayMs, why } };
}

const oneMore = (tally: Tally): Tally => ({
  ...tally,
  inARow: tally.lastCharge === 'passing' ? tally.inARow + 1 : 1,
  lastCharge: 'passing',
});
