import { ApplicationFailure, CancellationScope } from '@temporalio/workflow';
import type { LoopState } from '../schemas/loop.ts';
import { Receipt } from '../schemas/receipt.ts';
import type { RoundFailure, UnreleasedEnding } from '../schemas/result.ts';
import type { RunRequest } from '../schemas/run.ts';
import type { RunActivities } from './activity-proxies.ts';
import { heldTo } from './held-to.ts';
import type { Remember } from './run-memo.ts';

/** Dispose of whatever is left, with proof, and write down how the run ended. A cancel cannot interrupt it. */
export async function endRun({
  request,
  state,
  ending,
  activities,
  remember,
}: {
  request: RunRequest;
  state: LoopState | null;
  ending: UnreleasedEnding;
  activities: RunActivities;
  remember: Remember;
}): Promise<void> {
  const released = await CancellationScope.nonCancellable(() => activities.steps.releaseWorkspace({ request, ending }));
  const receipt = heldTo(Receipt.nullable(), released);
  // The work of an attempt that was ended from outside is a commit that the loop has not heard of.
  const commit = receipt === null || receipt.commit === null ? {} : { commit: receipt.commit };
  remember(state, { status: ending.status, why: whyItEnded(ending), receipt, ...commit });
}

/** The failure that closes a run as Temporal's Failed; its details are the `RoundFailure`. */
export function runFailure(failure: RoundFailure): ApplicationFailure {
  const { message, code } = failure.fault;
  return ApplicationFailure.create({ message, type: code, nonRetryable: true, details: [failure] });
}

function whyItEnded(ending: UnreleasedEnding): string | null {
  switch (ending.status) {
    case 'complete':
      return `${ending.verification}: ${ending.report.summary}`;
    case 'blocked':
      return ending.report.blocker;
    case 'budget-limited':
      return `all ${ending.rounds} rounds are spent`;
    case 'stalled':
      return ending.reason;
    case 'round-failed':
      return `${ending.fault.code}: ${ending.fault.message}`;
    case 'cancelled':
      return ending.reason;
    default:
      return ending satisfies never;
  }
}
