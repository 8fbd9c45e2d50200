import { ActivityFailure, ApplicationFailure, CancellationScope, isCancellation } from '@temporalio/workflow';
import { Released, type RoundFailure, type UnreleasedEnding, whyItEnded } from '../schemas/run/result.ts';
import { RUN_NOT_HELD } from '../schemas/loop/loop-input.ts';
import { say, type Run } from './run.ts';
import { INVALID_RESULT, validate } from './validate.ts';

/**
 * Dispose of whatever is left, with proof, count what the loop has not counted, and write down how the run ended. A
 * cancel cannot interrupt it, and nothing that goes wrong here changes how the run ended: it is said beside it.
 */
export async function endRun(run: Run, ending: UnreleasedEnding): Promise<void> {
  const { released, problem } = await release(run, ending);
  if (released !== null && released.state !== null) run.state = released.state;
  const why = [whyItEnded(ending), ...(released === null ? [problem] : released.notes)];
  say(run, {
    status: ending.status,
    why: why.filter((part) => part !== null).join(' — ') || null,
    receipt: released === null ? null : released.receipt,
  });
}

async function release(
  { activities, state }: Run,
  ending: UnreleasedEnding,
): Promise<{ released: Released; problem: null } | { released: null; problem: string }> {
  try {
    const returned = await CancellationScope.nonCancellable(() => activities.release(state, ending));
    return { released: validate(Released, returned), problem: null };
  } catch (error) {
    const cause = error instanceof ActivityFailure && error.cause instanceof Error ? error.cause : error;
    const message = cause instanceof Error ? cause.message : String(cause);
    return { released: null, problem: `the workspace could not be released: ${message}` };
  }
}

/**
 * How a run ends by what was thrown in its loop. Throws again what does not end it: a continue-as-new, a defect that
 * fails the workflow task, a start that was rejected because the run is another execution's.
 */
export function endingOfError(error: unknown, { state, round, cancelReason }: Run): UnreleasedEnding {
  const message = engineError(error);
  // A step whose worker is lost under a cancel ends as lost, not as cancelled: the user's word counts all the same.
  if (isCancellation(error) || (message !== null && CancellationScope.current().consideredCancelled)) {
    return { status: 'cancelled', reason: cancelReason };
  }
  if (message === null) throw error;
  const fault = { code: 'engine-error', message, resetAt: null } as const;
  return { status: 'round-failed', round, attempts: 1, fault, handoff: state.handoff };
}

/** What an activity could not do, or what it returned and must not have; null for everything else. */
function engineError(error: unknown): string | null {
  if (isCancellation(error)) return null;
  if (error instanceof ActivityFailure) {
    const { cause } = error;
    if (cause instanceof ApplicationFailure && cause.type === RUN_NOT_HELD) return null;
    return cause instanceof Error ? cause.message : error.message;
  }
  return error instanceof ApplicationFailure && error.type === INVALID_RESULT ? error.message : null;
}

/** The failure that closes a run as Temporal's Failed; its details are the `RoundFailure`. */
export function runFailure({ round, attempts, fault, handoff }: RoundFailure): ApplicationFailure {
  const { message, code } = fault;
  const failure: RoundFailure = { round, attempts, fault, handoff };
  return ApplicationFailure.create({ message, type: code, nonRetryable: true, details: [failure] });
}
