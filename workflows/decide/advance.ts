import { chargeWait } from '../../schemas/budget/spend.ts';
import type { Preparation } from '../../schemas/loop/preparation.ts';
import { noFaults, type LoopState } from '../../schemas/loop/state.ts';
import type { RunRequest } from '../../schemas/run/run.ts';
import type { RunResult, UnreleasedEnding } from '../../schemas/run/result.ts';
import { afterAttempt } from './after-attempt.ts';
import { accept, afterGates, afterReview } from './after-check.ts';
import { afterFault } from './after-fault.ts';
import { budgetReached, limitedBy, unaffordable } from './budgets.ts';
import type { After, LoopEvent, Moment, Next } from './events.ts';
import { stopped } from './next-round.ts';

/** The loop's one decision: where it stands after an event, and what it does next. Pure. */
export function advance(request: RunRequest, state: LoopState, event: LoopEvent): { state: LoopState; next: Next } {
  const after = apply(request, state, event);
  switch (after.kind) {
    case 'end':
      return { state: after.state, next: { kind: 'end', ending: after.ending } };
    case 'wait':
      return { state: after.state, next: { kind: 'wait', wait: after.wait } };
    case 'forward':
    case 'again':
      return due(request, after.state, after.kind === 'again');
    default:
      return after satisfies never;
  }
}

/**
 * Where the loop stands once its run has ended: what it never heard of is counted, and a completion leaves nothing to
 * verify.
 */
export function endedState(
  request: RunRequest,
  state: LoopState,
  { events, ending }: { events: readonly LoopEvent[]; ending: UnreleasedEnding },
): LoopState {
  const counted = events.reduce((before, event) => advance(request, before, event).state, state);
  return ending.status === 'complete' ? { ...counted, pending: null } : counted;
}

function apply(request: RunRequest, state: LoopState, event: LoopEvent): After {
  switch (event.kind) {
    case 'begun':
      return { state, kind: 'forward' };
    case 'interrupted':
      return { state, kind: 'again' };
    case 'waited':
      return { state: { ...state, spent: chargeWait(state.spent, event.ms) }, kind: 'again' };
    case 'prepared':
      return afterPreparation(request, state, event);
    case 'attempted':
      return afterAttempt(request, state, event);
    case 'gates-ran':
      return afterGates(request, state, event);
    case 'reviewed':
      return afterReview(request, state, event);
    default:
      return event satisfies never;
  }
}

function afterPreparation(
  request: RunRequest,
  state: LoopState,
  { result, now, random }: Moment & { result: Preparation },
): After {
  if (result.kind === 'ready') {
    const { base: commit, ref } = result.workspace;
    return { state: { ...state, prepared: true, commit, ref, faults: noFaults }, kind: 'forward' };
  }
  const { fault } = result;
  const attempts = state.faults.afterAttempt + 1;
  const counted = { ...state, faults: { ...state.faults, afterAttempt: attempts } };
  return afterFault(request, counted, { fault, round: 0, attempts, standIn: 'none', now, random });
}

/** The next step follows from the state alone. */
function due(request: RunRequest, state: LoopState, again: boolean): { state: LoopState; next: Next } {
  const { prepared, rounds, baseline, pending } = state;
  const { gates, gatePolicy, reviewer } = request;
  if (!prepared) return { state, next: { kind: 'prepare' } };
  if (pending === null) {
    const isBaselineDue = rounds === 0 && gates.length > 0 && baseline === null;
    return { state, next: isBaselineDue ? { kind: 'gates', again } : { kind: 'attempt' } };
  }
  const checksTree = gates.length > 0 || gatePolicy.protect.length > 0;
  if (checksTree && pending.gates === null) return { state, next: { kind: 'gates', again } };
  if (reviewer !== null) return { state, next: { kind: 'review', again } };
  const accepted = accept(request, state);
  return accepted.kind === 'end'
    ? { state: accepted.state, next: { kind: 'end', ending: accepted.ending } }
    : { state, next: { kind: 'attempt' } };
}

/**
 * The end of a run right before a step, after a pause was obeyed: a person stopped it, or its budgets do not allow the
 * step. Null: begin the step. A check that belongs to a round which has ended is still begun under a stop, once.
 */
export function endBefore(state: LoopState, next: Next, stop: boolean): RunResult | null {
  const { spent, ceilings, rounds } = state;
  switch (next.kind) {
    case 'prepare':
      return stop ? stopped(state) : null;
    case 'attempt': {
      if (stop) return stopped(state);
      // A round that was begun is seen through while anything is left for it.
      const isFirst = state.faults.afterAttempt === 0;
      const reached = isFirst ? unaffordable(spent, ceilings.budgets) : budgetReached(spent, ceilings.budgets);
      return reached === null ? null : limitedBy(state, reached);
    }
    case 'gates':
      return stop && (next.again || rounds === 0) ? stopped(state) : null;
    case 'review': {
      if (stop && (next.again || rounds === 0)) return stopped(state);
      const reached = budgetReached(spent, ceilings.budgets);
      return reached === null ? null : limitedBy(state, reached);
    }
    case 'wait':
    case 'end':
      return null;
    default:
      return next satisfies never;
  }
}
