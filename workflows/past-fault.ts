import type { Fault } from '../schemas/round/fault.ts';
import type { LoopState } from '../schemas/loop/loop.ts';
import type { UnreleasedEnding } from '../schemas/run/result.ts';
import { chargeWait } from '../schemas/budget/spend.ts';
import { endedAt } from './decide-after-report.ts';
import { faced } from './face-fault.ts';
import type { LoopRun } from './loop-run.ts';
import { lostAgain } from './lost-again.ts';
import { waitOut } from './wait.ts';

/** Where a check of a claim ends the run, without a verdict. */
export interface EndedCheck {
  readonly kind: 'ended';
  readonly state: LoopState;
  readonly ending: UnreleasedEnding;
}

/** Wait out what kept a check from its verdict, or end by it. No agent stands in for a reviewer, and none for a gate. */
export async function pastFault(
  run: LoopRun,
  state: LoopState,
  failed: { fault: Fault; round: number; attempts: number },
): Promise<EndedCheck | { kind: 'again'; state: LoopState; refusal: string | null }> {
  const after = faced(run, state, { ...failed, fallback: 'none' });
  if (after.kind === 'ended') return after;
  const { tally, refusal } = after.again;
  const waited = after.wait === null ? 0 : await waitOut(run, after.state, after.wait);
  const faults = { ...after.state.faults, tally };
  const next = { ...after.state, faults, spent: chargeWait(after.state.spent, waited) };
  return { kind: 'again', state: next, refusal };
}

/** The same where a check was ended from outside. @param isPaused whether a person did */
export async function pastLoss(
  run: LoopRun,
  state: LoopState,
  { round, what, isPaused }: { round: number; what: string; isPaused: boolean },
): Promise<EndedCheck | { kind: 'again'; state: LoopState }> {
  if (isPaused) return { kind: 'again', state };
  const after = lostAgain(run, state, { round, what });
  if (after.kind === 'ended') return after;
  const waited = after.wait === null ? 0 : await waitOut(run, after.state, after.wait);
  return { kind: 'again', state: { ...after.state, spent: chargeWait(after.state.spent, waited) } };
}

/** The end of a run that a person stopped before the verdict. */
export function stoppedAt(state: LoopState): EndedCheck {
  return { kind: 'ended', state, ending: { status: 'stopped', ...endedAt(state), handoff: state.handoff } };
}
