import { faultPolicy, MAX_PASSING_FAULTS, backoffMs } from './fault-policy.ts';
import type { Fault } from '../schemas/fault.ts';
import type { LoopState, Tally } from '../schemas/loop.ts';
import type { LostAttempts } from '../schemas/round.ts';
import { chargeLost } from '../schemas/spend.ts';
import { waitTooLong } from './budget.ts';
import { limitedBy } from './end-of-budget.ts';
import type { LoopRun } from './loop-run.ts';
import { noteChange } from './stop-loss.ts';
import type { AfterAttempt } from './take-attempt.ts';

/**
 * Attempts were ended from outside. What they used is charged, what they did is kept, and the round is attempted again:
 * at once, as machines and workers are restarted; but a worker that is lost again and again passes like a network.
 */
export function afterLost(
  run: LoopRun,
  state: LoopState,
  { round, attempts }: LostAttempts,
): Exclude<AfterAttempt, { kind: 'claimed' }> {
  const { tally, afterAttempt } = state.faults;
  const work = attempts.findLast(({ commit }) => commit !== null);
  const isPaused = attempts.every(({ by }) => by === 'paused');
  const counted = isPaused ? tally : oneMore(tally);
  const next: LoopState = {
    ...state,
    spent: attempts.reduce(chargeLost, state.spent),
    stopLoss: noteChange(
      state.stopLoss,
      attempts.some(({ changed }) => changed),
    ),
    ...(work === undefined || work.commit === null ? {} : { commit: work.commit, ref: work.ref }),
    faults: {
      ...state.faults,
      tally: counted,
      afterAttempt: Math.max(afterAttempt, ...attempts.map(({ attempt }) => attempt)),
    },
  };
  const times = counted.inARow;
  if (isPaused || times === 1) return { kind: 'again', state: next, wait: null };
  const why = `worker-lost: attempts at round ${round} were lost ${times} times in a row`;
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
