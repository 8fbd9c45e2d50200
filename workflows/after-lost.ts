import type { LoopState } from '../schemas/loop/loop.ts';
import type { LostAttempts } from '../schemas/round/round.ts';
import { chargeLost } from '../schemas/budget/spend.ts';
import { lostAgain } from './lost-again.ts';
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
  const { afterAttempt } = state.faults;
  const work = attempts.findLast(({ commit }) => commit !== null);
  const isPaused = attempts.every(({ by }) => by === 'paused');
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
      afterAttempt: Math.max(afterAttempt, ...attempts.map(({ attempt }) => attempt)),
    },
  };
  return isPaused
    ? { kind: 'again', state: next, wait: null }
    : lostAgain(run, next, { round, what: `attempts at round ${round}` });
}
