import { writeFile } from 'node:fs/promises';
import { reviewerSandbox } from '../../agents/containment/choose/choose-containment.ts';
import { reviewContract } from '../../agents/output/output-contract.ts';
import { buildReviewPrompt } from '../../agents/prompts/review-prompt.ts';
import { providerOf } from '../../agents/registry.ts';
import type { AgentRun } from '../../agents/run/run-agent.ts';
import type { Fault } from '../../schemas/round/fault.ts';
import type { Receipt } from '../../schemas/round/receipt.ts';
import { tokensUsed } from '../../schemas/round/tokens-used.ts';
import type { AgentSpec } from '../../schemas/run/agent.ts';
import type { Sandbox } from '../../schemas/run/sandbox.ts';
import type { CheckProgress } from '../../schemas/round/round-progress.ts';
import { decodeReview } from '../../schemas/verification/check-review.ts';
import { ReviewResult } from '../../schemas/verification/lost-checks.ts';
import { ReviewRecord, type FinishedReview } from '../../schemas/verification/review.ts';
import { finishedReview } from '../../workspaces/records/checks.ts';
import { writeJsonAtomically } from '../../workspaces/records/json-file.ts';
import { lostReviews } from '../../workspaces/records/lost-steps.ts';
import { reviewPaths, runPaths, type RunPaths, type StepPaths } from '../../workspaces/records/run-paths.ts';
import { openStep, removePrivateFolders, reviewsAt } from '../../workspaces/records/steps.ts';
import { checkOutClean, removeCheckout } from '../../workspaces/verification/check-out-clean.ts';
import { StepInput } from '../../schemas/loop/loop-input.ts';
import { writeState } from '../../workspaces/records/loop-state.ts';
import { recover } from '../recover.ts';
import { reviewInput, type ReviewInput } from '../step/inputs.ts';
import { nothingStarted } from '../step/disposal.ts';
import { faultOfError, roomFault, unproved } from '../step/faults.ts';
import { disposalCause } from '../step/interruption.ts';
import { redacted, type Machine } from '../step/machine.ts';
import { makeActivity, throwAll, type Work } from '../step/make-activity.ts';
import { cleanCheckout } from '../step/mounts.ts';
import type { TakeTurn, Turn } from '../step/one-at-a-time.ts';
import { runAgentStep } from '../step/run-agent-step.ts';
import { reviewDiff } from './review-diff.ts';

/** One review of a completion claim, by a fresh agent in a clean checkout that it cannot write to. */
export const reviewClaimActivity = (machine: Machine, takeTurn: TakeTurn) =>
  makeActivity<typeof StepInput, ReviewResult, CheckProgress>(machine, takeTurn, {
    input: StepInput,
    output: ReviewResult,
    hold: 'live',
    work: reviewClaim,
    answer: throwAll,
  });

type ReviewWork = Work<StepInput, CheckProgress>;

/** One review, as its record names it. */
interface Frame {
  readonly round: number;
  readonly attempt: number;
  readonly commit: string;
  readonly startedAt: string;
  /** Which the reviewer had, or would have had. */
  readonly sandbox: Sandbox;
}

/** Make sure that a review may begin, number it, make it, and write down its record. */
async function reviewClaim({ machine, turn, input: given, show }: ReviewWork): Promise<ReviewResult> {
  const { redactor } = machine;
  const input = reviewInput(given);
  const { request, round, afterReview, commit, counters } = input;
  const { reviewer: spec, sandbox } = request;
  if (spec === null) throw new TypeError('this run has no reviewer');
  const run = runPaths(machine.ralphHome, request.runId);

  // Reuse: nothing is reviewed twice.
  const finished = await finishedReview(run, { round, after: afterReview, commit });
  if (finished !== null) return finished;

  // A review that a full disk kept from having a folder has its number all the same.
  const attempt = Math.max((await reviewsAt(run, round)).at(-1) ?? 0, afterReview) + 1;
  const frame: Frame = { round, attempt, commit, startedAt: new Date().toISOString(), sandbox };
  const { startedAt } = frame;
  const showReview = (activity: string | null, tokens: number | null): void =>
    show({ what: 'review', round, check: attempt, startedAt, activity, tokens, counters });
  showReview(null, null);
  try {
    await writeState(run, given.state, null);
    // Fence: nothing starts beside what may still run.
    const { alive } = await recover({ redactor, run, request, attempts: null });
    if (alive !== null) return failedReview(frame, { fault: unproved(alive), receipt: alive });
    turn.signal.throwIfAborted();
    // Before another one is paid for, the loop is to count those that were lost, and to ask its budgets.
    const lost = await lostReviews(run, round, afterReview);
    if (lost.length > 0) return { kind: 'lost', round, reviews: lost };

    const paths = await openStep(reviewPaths(run, round, attempt));
    const ended = await review({ machine, run, input, spec, frame, paths, turn, show: showReview });
    // What may still run is not written off: the next one to come disposes of it again.
    if (ended.kind === 'interrupted' && ended.receipt.proof === 'unproved') throw turn.signal.reason;
    const recorded = await record(paths.outcome, redacted({ redactor, schema: ReviewRecord, record: ended }));
    await removePrivateFolders(paths);
    if (recorded.kind === 'interrupted') throw turn.signal.reason;
    return recorded;
  } catch (error) {
    const fault = turn.signal.aborted ? null : roomFault(error);
    if (fault === null) throw error;
    return failedReview(frame, { fault, receipt: nothingStarted() });
  }
}

interface Asked {
  readonly machine: Machine;
  readonly run: RunPaths;
  readonly input: ReviewInput;
  readonly spec: AgentSpec;
  readonly frame: Frame;
  readonly paths: StepPaths;
  readonly turn: Turn;
  readonly show: (activity: string | null, tokens: number | null) => void;
}

/** From the clean checkout to what the review came to. Nothing of it runs any more, or its receipt says so. */
async function review(asked: Asked): Promise<ReviewRecord> {
  const { machine, run, input, spec, frame, paths, turn, show } = asked;
  const { request, round, commit, allowance } = input;
  try {
    try {
      // What agents said stands in their commits' messages: the reviewer sees their work alone.
      await checkOutClean({ paths: run, commit, head: request.repository.commit });
      await writePrompt(asked);
    } catch (error) {
      return await notStarted(asked, error, 'workspace-broken');
    }
    const sandbox = await reviewerSandbox(request.sandbox);
    let ran: AgentRun;
    try {
      turn.signal.throwIfAborted();
      ran = await runAgentStep({
        machine,
        run,
        place: cleanCheckout(run),
        paths,
        request,
        round,
        maxRounds: request.limits.maxRounds,
        spec,
        output: reviewContract,
        sandbox,
        allowance,
        turn,
        onProgress: ({ activity, usage }) => show(activity, tokensUsed(usage)),
      });
    } catch (error) {
      return await notStarted(asked, error, 'agent-unavailable');
    }
    if (ran.ended !== 'aborted') return reviewOf({ ...frame, sandbox }, ran);
    const cause = disposalCause(await turn.confirmed());
    return { kind: 'interrupted', agentMs: ran.agentMs, ...ran.use, receipt: { ...ran.receipt, cause } };
  } finally {
    // If that fails, the next checkout must do it or fail.
    await removeCheckout(run).catch(() => undefined);
  }
}

async function writePrompt({ machine, run, input, spec, paths }: Asked): Promise<void> {
  const { request, commit, gates, whyRejected } = input;
  const base = request.repository.commit;
  const prompt = buildReviewPrompt({
    objective: request.objective,
    gates,
    inPlace: request.gatePolicy.inPlace,
    base,
    diff: machine.redactor.text(await reviewDiff({ paths: run, from: base, to: commit })),
    whyRejected,
    howToSubmit: providerOf(spec).howToSubmit(reviewContract),
  });
  await writeFile(paths.prompt, prompt, { mode: 0o600 });
}

async function notStarted(
  { frame, turn }: Asked,
  error: unknown,
  code: 'agent-unavailable' | 'workspace-broken',
): Promise<ReviewRecord> {
  const receipt = nothingStarted();
  if (!turn.signal.aborted) return failedReview(frame, { fault: faultOfError(error, code), receipt });
  const cause = disposalCause(await turn.confirmed());
  return { kind: 'interrupted', ...nothingUsed, receipt: { ...receipt, cause } };
}

/** What a reviewer's run amounts to: its review, validated by the contract, or why there is none. */
function reviewOf(frame: Frame, { reading, use, agentMs, receipt }: AgentRun): FinishedReview {
  const common = { ...head(frame, receipt), agentMs, ...use };
  if (receipt.proof === 'unproved') return { kind: 'failed', ...common, fault: unproved(receipt) };
  if (reading.report.kind === 'fault') return { kind: 'failed', ...common, fault: reading.report.fault };
  const decoded = decodeReview(reading.report.value);
  return decoded.ok
    ? { kind: 'reviewed', ...common, review: decoded.review }
    : { kind: 'failed', ...common, fault: { ...decoded.problem, resetAt: null } };
}

/** A review in which no agent ran. */
function failedReview(frame: Frame, { fault, receipt }: { fault: Fault; receipt: Receipt }): FinishedReview {
  return { kind: 'failed', ...head(frame, receipt), ...nothingUsed, fault };
}

const nothingUsed = { agentMs: 0, usage: null, costUsd: null, costEstimated: false } as const;

function head({ sandbox, ...frame }: Frame, receipt: Receipt) {
  const { mechanism } = receipt;
  return { ...frame, endedAt: new Date().toISOString(), sandbox: { ...sandbox, mechanism }, receipt };
}

/** Write the record down. If the disk has no room for it, that is what the review failed of. */
async function record(file: string, ended: ReviewRecord): Promise<ReviewRecord> {
  try {
    await writeJsonAtomically(file, ended);
    return ended;
  } catch (error) {
    const fault = roomFault(error);
    if (fault === null) throw error;
    if (ended.kind !== 'reviewed') return ended;
    const { review: _review, ...rest } = ended;
    return { ...rest, kind: 'failed', fault };
  }
}
