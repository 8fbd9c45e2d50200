import {
  ActivityFailure,
  allHandlersFinished,
  ApplicationFailure,
  CancellationScope,
  CancelledFailure,
  condition,
  continueAsNew,
  isCancellation,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import { boundText } from '../schemas/bound-text.ts';
import { LoopInput, Preparation, type LoopState } from '../schemas/loop.ts';
import type { RoundFailure, RunResult, UnreleasedEnding } from '../schemas/result.ts';
import { activitiesOf } from './activity-proxies.ts';
import { attemptRound } from './attempt-round.ts';
import { decideAfterReport } from './decide-after-report.ts';
import { endRun, runFailure } from './end-run.ts';
import { heldTo, REFUSED_RESULT } from './held-to.ts';
import { cancelReasonSignal } from './messages.ts';
import { memoOf } from './run-memo.ts';

const MAX_REASON_CHARS = 4_096;

/** Send fresh agents at one objective, one round each, until it is met, blocked, failed or out of rounds. */
export async function ralphLoop(input: LoopInput): Promise<RunResult> {
  const parsed = LoopInput.safeParse(input);
  if (!parsed.success) throw ApplicationFailure.nonRetryable(parsed.error.message, 'InvalidLoopInput');
  const { request, settings, carried } = parsed.data;
  const activities = activitiesOf(request, settings);
  const remember = memoOf(request);
  let cancelReason: string | null = null;
  setHandler(cancelReasonSignal, (given: unknown) => {
    // Whoever reaches the server can send anything: what is no text of ours is passed over, and the cancel stands.
    if (typeof given === 'string') cancelReason = boundText(given, MAX_REASON_CHARS);
  });

  let state: LoopState | null = carried;
  const end = (ending: UnreleasedEnding) => endRun({ request, state, ending, activities, remember });
  const fail = async (failure: RoundFailure) => {
    await end({ status: 'round-failed', ...failure });
    return runFailure(failure);
  };
  try {
    if (state === null) {
      remember(null, { status: 'preparing' });
      const prepared = heldTo(Preparation, await activities.steps.prepareWorkspace(request));
      if (prepared.kind === 'failed') throw await fail({ round: 0, attempts: 1, fault: prepared.fault, handoff: null });
      state = { rounds: 0, handoff: null, commit: prepared.workspace.base, ref: prepared.workspace.ref };
    }
    for (let roundsHere = 1; ; roundsHere++) {
      const attempt = await attemptRound({ request, state, activities, remember });
      if (attempt.checkpoint !== null) {
        state = { ...state, commit: attempt.checkpoint.commit, ref: attempt.checkpoint.ref };
      }
      if (attempt.kind === 'failed') {
        const { round, fault } = attempt;
        throw await fail({ round, attempts: attempt.attempt, fault, handoff: state.handoff });
      }
      state = { ...state, rounds: attempt.round };
      const after = decideAfterReport(state, attempt, request.limits);
      if (after.kind === 'end') {
        await end(after.result);
        return after.result;
      }
      state = { ...state, handoff: after.handoff };
      if (workflowInfo().continueAsNewSuggested || roundsHere === settings.continueAfterRounds) {
        await condition(allHandlersFinished);
        await continueAsNew<typeof ralphLoop>({ request, settings, carried: state });
      }
    }
  } catch (error) {
    const message = engineError(error);
    // A step whose worker is lost under a cancel ends as lost, not as cancelled: the user's word counts all the same.
    if (isCancellation(error) || (message !== null && CancellationScope.current().consideredCancelled)) {
      await end({ status: 'cancelled', reason: cancelReason });
      throw isCancellation(error) ? error : new CancelledFailure('cancelled');
    }
    if (message === null) throw error;
    const round = state === null ? 0 : state.rounds + 1;
    const fault = { code: 'engine-error', message, resetAt: null } as const;
    throw await fail({ round, attempts: 1, fault, handoff: state === null ? null : state.handoff });
  }
}

/** What an activity could not do, or what it returned and must not have; null for every other way out of the loop. */
function engineError(error: unknown): string | null {
  if (isCancellation(error)) return null;
  if (error instanceof ActivityFailure) return error.cause instanceof Error ? error.cause.message : error.message;
  return error instanceof ApplicationFailure && error.type === REFUSED_RESULT ? error.message : null;
}
