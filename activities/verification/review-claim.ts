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
import { reviewInput, type ReviewInput } from '../step/inputs.ts';
import { nothingStarted } from '../step/disposal.ts';
import { durableStep, type BegunStep } from '../step/durable-step.ts';
import { faultOfError, unproved } from '../step/faults.ts';
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

type InterruptedReview = Extract<ReviewRecord, { kind: 'interrupted' }>;

async function reviewClaim(given: ReviewWork): Promise<ReviewResult> {
  const input = reviewInput(given.input);
  const { request, round, afterReview, commit } = input;
  const run = runPaths(given.machine.ralphHome, request.runId);
  return await durableStep<FinishedReview, InterruptedReview, ReviewResult>({
    given,
    run,
    attempts: null,
    numbers: () => reviewsAt(run, round),
    after: afterReview,
    finished: () => finishedReview(run, { round, after: afterReview, commit }),
    lost: async () => {
      const reviews = await lostReviews(run, round, afterReview);
      return reviews.length === 0 ? null : { kind: 'lost', round, reviews };
    },
    begin: (named) => beginReview(given, { run, input, ...named }),
  });
}

function beginReview(
  { machine, turn, show: tell }: ReviewWork,
  { run, input, number: attempt, startedAt }: { run: RunPaths; input: ReviewInput; number: number; startedAt: string },
): BegunStep<FinishedReview, InterruptedReview> {
  const { redactor } = machine;
  const { request, round, commit, counters } = input;
  const { reviewer: spec, sandbox } = request;
  if (spec === null) throw new TypeError('this run has no reviewer');
  const paths = reviewPaths(run, round, attempt);
  const frame: Frame = { round, attempt, commit, startedAt, sandbox };
  const show = (activity: string | null, tokens: number | null): void =>
    tell({ what: 'review', round, check: attempt, startedAt, activity, tokens, counters });
  show(null, null);
  return {
    failed: (why) => failedReview(frame, why),
    work: async () => {
      openStep(paths);
      const record = await review({ machine, run, input, spec, frame, paths, turn, show });
      return redacted({ redactor, schema: ReviewRecord, record });
    },
    record: async (ended) => {
      try {
        await writeJsonAtomically(paths.outcome, ended);
      } finally {
        await removePrivateFolders(paths);
      }
    },
    unrecorded: (ended, fault) => {
      if (ended.kind === 'failed') return ended;
      const { review: _review, ...rest } = ended;
      return { ...rest, kind: 'failed', fault };
    },
  };
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
  const { request, round, commit, allowance, counters } = input;
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
        maxRounds: counters.ceilings.maxRounds,
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
