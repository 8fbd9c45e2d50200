import { writeFile } from 'node:fs/promises';
import { reviewerSandbox } from '../../agents/containment/choose/choose-containment.ts';
import { reviewContract } from '../../agents/output/output-contract.ts';
import { providerOf } from '../../agents/registry.ts';
import { buildReviewPrompt } from '../../agents/prompts/review-prompt.ts';
import type { AgentRun } from '../../agents/run/run-agent.ts';
import type { AgentSpec } from '../../schemas/run/agent.ts';
import type { ReviewInput, ReviewRecord } from '../../schemas/verification/review.ts';
import type { Usage } from '../../schemas/round/usage.ts';
import { checkOutClean, removeCheckout } from '../../workspaces/verification/check-out-clean.ts';
import type { AttemptPaths, RunPaths } from '../../workspaces/records/run-paths.ts';
import { nothingStarted } from '../step/disposal.ts';
import { faultOfError } from '../step/fault-of-error.ts';
import { disposalCause } from '../step/interruption.ts';
import type { Machine } from '../step/machine.ts';
import type { Turn } from '../step/one-at-a-time.ts';
import { reviewDiff } from './review-diff.ts';
import { failedReview, nothingUsed, reviewOf, type ReviewFrame } from './review-outcome.ts';
import { runReviewer } from './run-reviewer.ts';

interface Asked {
  readonly machine: Machine;
  readonly run: RunPaths;
  readonly input: ReviewInput;
  readonly spec: AgentSpec;
  readonly frame: ReviewFrame;
  readonly paths: AttemptPaths;
  readonly turn: Turn;
  readonly show: (progress: { activity: string | null; usage: Usage | null }) => void;
}

/** One review, from the clean checkout to what it came to. Nothing of it runs any more, or its receipt says so. */
export async function attemptReview(asked: Asked): Promise<ReviewRecord> {
  const { run, input, frame, turn } = asked;
  try {
    try {
      const { commit, request } = input;
      // What workers said stands in their commits' messages: the reviewer sees their work alone.
      await checkOutClean({ paths: run, commit, head: request.repository.commit });
      await writePrompt(asked);
    } catch (error) {
      return await notStarted(asked, error, 'workspace-broken');
    }
    let ran: AgentRun;
    const sandbox = await reviewerSandbox(input.request.sandbox);
    try {
      turn.signal.throwIfAborted();
      ran = await runReviewer({ ...asked, sandbox });
    } catch (error) {
      return await notStarted(asked, error, 'agent-unavailable');
    }
    if (ran.ended !== 'aborted') return reviewOf({ ...frame, sandbox }, ran);
    const cause = disposalCause(await turn.confirmed());
    const { agentMs, use } = ran;
    return { kind: 'interrupted', agentMs, ...use, receipt: { ...ran.receipt, cause } };
  } finally {
    // As far as it goes: the next checkout must do it or fail.
    await removeCheckout(run).catch(() => undefined);
  }
}

async function writePrompt({ machine, run, input, spec, paths }: Asked): Promise<void> {
  const { request, commit, gates, refusal } = input;
  const base = request.repository.commit;
  const prompt = buildReviewPrompt({
    objective: request.objective,
    gates,
    inPlace: request.gatePolicy.inPlace,
    base,
    diff: machine.redactor.text(await reviewDiff({ paths: run, from: base, to: commit })),
    refusal,
    handIn: providerOf(spec).handIn(reviewContract),
  });
  await writeFile(paths.prompt, prompt, { mode: 0o600 });
}

async function notStarted(
  { frame, turn }: Asked,
  error: unknown,
  code: 'agent-unavailable' | 'workspace-broken',
): Promise<ReviewRecord> {
  const receipt = await nothingStarted(frame.sandbox);
  if (turn.signal.aborted) {
    const cause = disposalCause(await turn.confirmed());
    return { kind: 'interrupted', ...nothingUsed, receipt: { ...receipt, cause } };
  }
  return failedReview(frame, { fault: faultOfError(error, code), receipt });
}
