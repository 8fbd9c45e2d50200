import type { AgentRun } from '../../agents/run/run-agent.ts';
import { decodeReport } from '../../schemas/round/check-report.ts';
import type { Fault, Interruption } from '../../schemas/round/fault.ts';
import type { Receipt } from '../../schemas/round/receipt.ts';
import type { FailedAttempt, ReportedAttempt } from '../../schemas/round/round.ts';
import type { Limits, RunRequest } from '../../schemas/run/run.ts';
import { boundText } from '../../schemas/text/bound-text.ts';
import type { CheckpointStatus } from '../../workspaces/round/checkpoint.ts';
import { interruptedInWords } from '../step/interruption.ts';

/** What an attempt amounts to, before its work is committed. */
export type Verdict =
  | Pick<ReportedAttempt, 'kind' | 'report' | 'finalText'>
  | Pick<FailedAttempt, 'kind' | 'fault'>
  | { readonly kind: 'interrupted'; readonly by: Interruption };

/** Validate what an agent said by the report contract. @param by who ended the agent from outside; null: nobody */
export function verdictOf({ reading }: AgentRun, limits: Limits, by: Interruption | null): Verdict {
  if (by !== null) return { kind: 'interrupted', by };
  if (reading.report.kind === 'fault') return { kind: 'failed', fault: reading.report.fault };
  const { maxHandoffChars, maxResultChars } = limits;
  const decoded = decodeReport(reading.report.value, maxHandoffChars);
  if (!decoded.ok) return { kind: 'failed', fault: { ...decoded.problem, resetAt: null } };
  // Only a run's last words are shown with its result: those of every other round stay in the transcript.
  const last = decoded.report.status === 'continue' ? null : reading.finalText;
  return {
    kind: 'reported',
    report: decoded.report,
    finalText: last === null ? null : boundText(last, maxResultChars),
  };
}

/** A completion claim is one about the workspace: an agent that removed or replaced that has completed nothing. */
export function ofKeptTree(verdict: Verdict, state: 'kept' | 'gone' | 'replaced'): Verdict {
  if (state === 'kept' || verdict.kind !== 'reported' || verdict.report.status !== 'complete') return verdict;
  const message = `the report claims completion, but the agent ${state === 'gone' ? 'removed' : 'replaced'} its workspace folder`;
  return { kind: 'failed', fault: { code: 'report-invalid', message, resetAt: null } };
}

/** A verdict as its checkpoint's message puts it. */
export function inWords(verdict: Verdict): { status: CheckpointStatus; summary: string } {
  switch (verdict.kind) {
    case 'reported':
      return { status: verdict.report.status, summary: verdict.report.summary };
    case 'failed':
      return { status: 'failed', summary: `${verdict.fault.code}: ${verdict.fault.message}` };
    case 'interrupted':
      return interruptedInWords(verdict.by);
    default:
      return verdict satisfies never;
  }
}

/** How an attempt is named in its outcome. */
export interface Named {
  readonly request: Pick<RunRequest, 'sandbox'>;
  readonly round: number;
  readonly attempt: number;
  readonly startedAt: string;
  /** Who made it, as titles have it. */
  readonly agent: string;
}

/** What begins every outcome: which attempt, from when until now. */
export function head({ round, attempt, startedAt }: Named) {
  return { round, attempt, startedAt, endedAt: new Date().toISOString() };
}

/** The rest of the outcome of an attempt in which no agent ran. */
export function nothingUsed({ request: { sandbox }, agent }: Named, { mechanism }: Receipt) {
  return {
    agentMs: 0,
    usage: null,
    costUsd: null,
    costEstimated: false,
    agent,
    agentVersion: null,
    sandbox: { ...sandbox, mechanism },
  };
}

/**
 * The outcome of an attempt that could not be begun: an earlier one may still be alive, or the disk has no room for a
 * new one. Nothing of it is written down.
 */
export function notBegun(named: Named, { fault, receipt }: { fault: Fault; receipt: Receipt }): FailedAttempt {
  return { kind: 'failed', ...head(named), ...nothingUsed(named, receipt), fault, checkpoint: null, receipt };
}
