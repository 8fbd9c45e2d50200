import { Context } from '@temporalio/activity';
import type { CheckProgress } from '../../schemas/verification/check-progress.ts';
import { ReviewResult } from '../../schemas/verification/lost-checks.ts';
import { ReviewInput, ReviewRecord } from '../../schemas/verification/review.ts';
import { tokensUsed } from '../../schemas/round/usage.ts';
import { openFolder, removePrivateFolders } from '../../workspaces/records/attempts.ts';
import { reviewsAt } from '../../workspaces/records/check-folders.ts';
import { finishedReviewSince } from '../../workspaces/records/finished-review.ts';
import { writeJsonAtomically } from '../../workspaces/records/json-file.ts';
import { lostReviews } from '../../workspaces/records/lost-checks.ts';
import { reviewPaths, runPaths } from '../../workspaces/records/run-paths.ts';
import { attemptReview } from './attempt-review.ts';
import { nothingStarted } from '../step/disposal.ts';
import { asFailure, parseInput } from '../step/failures.ts';
import type { Machine } from '../step/machine.ts';
import type { TakeTurn, Turn } from '../step/one-at-a-time.ts';
import { unproved } from '../round/outcome.ts';
import { startPulse, type Pulse } from '../step/pulse.ts';
import { redacted } from '../step/redacted.ts';
import { roomFault } from '../step/room-fault.ts';
import { failedReview, type ReviewFrame } from './review-outcome.ts';
import { settleChecks } from './settle-checks.ts';

/** One review of a claim of completion, by a fresh agent in a clean checkout that it cannot write to. */
export function reviewClaimActivity(machine: Machine, takeTurn: TakeTurn) {
  return async (given: ReviewInput): Promise<ReviewResult> => {
    const context = Context.current();
    const pulse = startPulse<CheckProgress | null>(context, null);
    let signal = context.cancellationSignal;
    try {
      const input = parseInput(ReviewInput, given);
      return await takeTurn(input.request.runId, context, async (turn) => {
        ({ signal } = turn);
        const record = await reviewClaim({ machine, turn, input, pulse });
        return redacted({ redactor: machine.redactor, schema: ReviewResult, record });
      });
    } catch (error) {
      // A cancelled activity must leave by the very reason: anything else reads as a failure of the review.
      if (signal.aborted) throw signal.reason;
      throw asFailure(error, machine.redactor);
    } finally {
      pulse.stop();
    }
  };
}

async function reviewClaim({
  machine,
  turn,
  input,
  pulse,
}: {
  machine: Machine;
  turn: Turn;
  input: ReviewInput;
  pulse: Pulse<CheckProgress | null>;
}): Promise<ReviewResult> {
  const { request, round, afterReview, commit } = input;
  const { reviewer: spec, sandbox } = request;
  if (spec === null) throw new TypeError('this run has no reviewer');
  const run = runPaths(machine.ralphHome, request.runId);
  const finished = await finishedReviewSince(run, { round, after: afterReview, commit });
  if (finished !== null) return finished;

  // A review that a full disk kept from having a folder has its number all the same.
  const attempt = Math.max((await reviewsAt(run, round)).at(-1) ?? 0, afterReview) + 1;
  const frame: ReviewFrame = { round, attempt, commit, startedAt: new Date().toISOString(), sandbox };
  const show = (activity: string | null, tokens: number | null): void => {
    pulse.show({ what: 'review', round, check: attempt, startedAt: frame.startedAt, activity, tokens });
  };
  show(null, null);
  try {
    const alive = (await settleChecks({ run, request })).find(({ proof }) => proof === 'unproved');
    if (alive !== undefined) return failedReview(frame, { fault: unproved(alive), receipt: alive });
    turn.signal.throwIfAborted();
    // Before another one is paid for the loop is to count them, and to ask its budgets.
    const lost = await lostReviews(run, round, afterReview);
    if (lost.length > 0) return { kind: 'lost', round, reviews: lost };
    const paths = await openFolder(reviewPaths(run, round, attempt));
    const asked = { machine, run, input, spec, frame, paths, turn };
    const ended = await attemptReview({
      ...asked,
      show: ({ activity, usage }) => show(activity, tokensUsed(usage)),
    });
    // What may still run is not written off: the next one to come disposes of it again.
    if (ended.kind === 'interrupted' && ended.receipt.proof === 'unproved') throw turn.signal.reason;
    const record = redacted({ redactor: machine.redactor, schema: ReviewRecord, record: ended });
    const kept = await keep(paths.outcome, record);
    await removePrivateFolders(paths);
    if (kept.kind === 'interrupted') throw turn.signal.reason;
    return kept;
  } catch (error) {
    const fault = turn.signal.aborted ? null : roomFault(error);
    if (fault === null) throw error;
    return failedReview(frame, { fault, receipt: await nothingStarted(sandbox) });
  }
}

/** Write the record down. Where the disk has no room for it that is what the review failed of. */
async function keep(file: string, record: ReviewRecord): Promise<ReviewRecord> {
  try {
    await writeJsonAtomically(file, record);
    return record;
  } catch (error) {
    const fault = roomFault(error);
    if (fault === null) throw error;
    if (record.kind !== 'reviewed') return record;
    const { review: _review, ...rest } = record;
    return { ...rest, kind: 'failed', fault };
  }
}
