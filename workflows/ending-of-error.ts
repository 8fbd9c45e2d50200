import { ActivityFailure, ApplicationFailure, CancellationScope, isCancellation } from '@temporalio/workflow';
import type { UnreleasedEnding } from '../schemas/run/result.ts';
import { RUN_REFUSED } from '../schemas/run/run-refused.ts';
import { REFUSED_RESULT } from './held-to.ts';
import type { Stand } from './stand.ts';

/**
 * How a run ends by what was thrown in its loop. Throws on what is no end of it: a continue-as-new, a defect that fails
 * the workflow task, a start that was refused as the run is another execution's.
 */
export function endingOfError(error: unknown, { state, round, cancelReason }: Stand): UnreleasedEnding {
  const message = engineError(error);
  // A step whose worker is lost under a cancel ends as lost, not as cancelled: the user's word counts all the same.
  if (isCancellation(error) || (message !== null && CancellationScope.current().consideredCancelled)) {
    return { status: 'cancelled', reason: cancelReason };
  }
  if (message === null) throw error;
  return {
    status: 'round-failed',
    round,
    attempts: 1,
    fault: { code: 'engine-error', message, resetAt: null },
    handoff: state === null ? null : state.handoff,
  };
}

/** What an activity could not do, or what it returned and must not have; null for everything else. */
function engineError(error: unknown): string | null {
  if (isCancellation(error)) return null;
  if (error instanceof ActivityFailure) {
    const { cause } = error;
    if (cause instanceof ApplicationFailure && cause.type === RUN_REFUSED) return null;
    return cause instanceof Error ? cause.message : error.message;
  }
  return error instanceof ApplicationFailure && error.type === REFUSED_RESULT ? error.message : null;
}
