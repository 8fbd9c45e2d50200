import type { AgentRun } from '../../agents/run/run-agent.ts';
import { decodeReview } from '../../schemas/verification/check-review.ts';
import type { Fault } from '../../schemas/round/fault.ts';
import type { Receipt } from '../../schemas/round/receipt.ts';
import type { FinishedReview } from '../../schemas/verification/review.ts';
import type { Sandbox } from '../../schemas/run/sandbox.ts';
import { unproved } from '../round/outcome.ts';

/** One review, as its record names it. */
export interface ReviewFrame {
  readonly round: number;
  readonly attempt: number;
  readonly commit: string;
  readonly startedAt: string;
  /** Which the reviewer had, or would have had. */
  readonly sandbox: Sandbox;
}

/** What a reviewer's run amounts to: its review, held to the contract, or why there is none. */
export function reviewOf(frame: ReviewFrame, { reading, use, agentMs, receipt }: AgentRun): FinishedReview {
  const told = { ...head(frame, receipt), agentMs, ...use };
  if (receipt.proof === 'unproved') return { kind: 'failed', ...told, fault: unproved(receipt) };
  if (reading.report.kind === 'fault') return { kind: 'failed', ...told, fault: reading.report.fault };
  const decoded = decodeReview(reading.report.value);
  return decoded.ok
    ? { kind: 'reviewed', ...told, review: decoded.review }
    : { kind: 'failed', ...told, fault: { ...decoded.problem, resetAt: null } };
}

/** Of a review in which no agent ran. */
export const nothingUsed = { agentMs: 0, usage: null, costUsd: null, costEstimated: false } as const;

/** Such a review. */
export function failedReview(frame: ReviewFrame, { fault, receipt }: { fault: Fault; receipt: Receipt }) {
  return { kind: 'failed', ...head(frame, receipt), ...nothingUsed, fault } satisfies FinishedReview;
}

function head({ sandbox, ...frame }: ReviewFrame, receipt: Receipt) {
  const { mechanism } = receipt;
  return { ...frame, endedAt: new Date().toISOString(), sandbox: { ...sandbox, mechanism }, receipt };
}
