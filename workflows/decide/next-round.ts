import type { Stall } from '../../schemas/loop/stall.ts';
import type { LoopState } from '../../schemas/loop/state.ts';
import type { Fault } from '../../schemas/round/fault.ts';
import type { RunResult } from '../../schemas/run/result.ts';
import { usedOf } from '../../schemas/text/several.ts';
import type { After } from './events.ts';

export const endedAt = ({ rounds, commit, ref }: LoopState) => ({ rounds, commit, ref });

/** How a run ends that a person stopped. */
export const stopped = (state: LoopState): RunResult => ({
  status: 'stopped',
  ...endedAt(state),
  handoff: state.handoff,
});

/**
 * A round has ended, and the run has not: the next round, if there is to be one. The handoff is set already.
 * @param stall why the run has stalled; null: it has not
 * @param unreported why nothing would hold the run's budgets in a further round; null: they are held
 */
export function goOn(
  state: LoopState,
  { stall, unreported }: { stall: Stall | null; unreported: Fault | null },
): After {
  const { handoff, rounds } = state;
  const { maxRounds } = state.ceilings;
  if (stall !== null) {
    return { state, kind: 'end', ending: { status: 'stalled', ...endedAt(state), ...stall, handoff } };
  }
  if (rounds >= maxRounds) {
    const reason = usedOf(rounds, maxRounds, 'round');
    const ending: RunResult = { status: 'budget-limited', ...endedAt(state), budget: 'rounds', reason, handoff };
    return { state, kind: 'end', ending };
  }
  if (unreported !== null) {
    const ending = { status: 'round-failed', round: rounds, attempts: 1, fault: unreported, handoff } as const;
    return { state, kind: 'end', ending };
  }
  return { state, kind: 'forward' };
}
