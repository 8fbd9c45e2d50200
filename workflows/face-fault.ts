import type { Fault } from '../schemas/round/fault.ts';
import type { LoopState } from '../schemas/loop/loop.ts';
import type { UnreleasedEnding } from '../schemas/run/result.ts';
import { waitTooLong } from './budget.ts';
import { decideAfterFault, isCharged, type AfterFault, type FaultContext } from './decide-after-fault.ts';
import { endedAt } from './decide-after-report.ts';
import type { LoopRun } from './loop-run.ts';
import { noteFault } from './stop-loss.ts';
import type { Wait } from './wait.ts';

/** What follows a fault: the run's end, or another try, maybe after a wait. */
export type FacedFault =
  | { readonly kind: 'ended'; readonly state: LoopState; readonly ending: UnreleasedEnding }
  | {
      readonly kind: 'again';
      readonly state: LoopState;
      readonly again: Extract<AfterFault, { kind: 'attempt-again' }>;
      readonly wait: Wait | null;
    };

/** Decide after a fault of an attempt, of gates or of a review. The state's tally is left to the caller. */
export function faced(
  { request, steered }: LoopRun,
  state: LoopState,
  failed: { fault: Fault; round: number; attempts: number; fallback: FaultContext['fallback'] },
): FacedFault {
  const { fault, round, attempts } = failed;
  const { handoff } = state;
  const { tally, ownUntil } = state.faults;
  const after = decideAfterFault(fault, {
    tally,
    ownUntil,
    limits: request.limits,
    now: Date.now(),
    jitter: Math.random(),
    fallback: failed.fallback,
  });
  if (after.kind === 'fail') {
    return { kind: 'ended', state, ending: { status: 'round-failed', round, attempts, fault, handoff } };
  }
  const { loss, stall } = isCharged(fault) ? noteFault(state.stopLoss, fault) : { loss: state.stopLoss, stall: null };
  const noted = { ...state, stopLoss: loss };
  if (stall !== null) {
    return { kind: 'ended', state: noted, ending: { status: 'stalled', ...endedAt(state), ...stall, handoff } };
  }
  const { delayMs } = after;
  const tooLong = delayMs === 0 ? null : waitTooLong(state.spent, steered.ceilings.budgets, delayMs);
  if (tooLong !== null) {
    const reason = `${tooLong.reason}, for ${fault.code}: ${fault.message}`;
    const ending = { status: 'budget-limited', ...endedAt(state), budget: 'wait', reason, handoff } as const;
    return { kind: 'ended', state: noted, ending };
  }
  return {
    kind: 'again',
    state: noted,
    again: after,
    wait: delayMs === 0 ? null : { round, delayMs, why: `${fault.code}: ${fault.message}` },
  };
}
