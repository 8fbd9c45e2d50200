import type { AgentRun } from '../../agents/run/run-agent.ts';
import { boundText } from '../../schemas/text/bound-text.ts';
import { decodeReport } from '../../schemas/round/check-report.ts';
import type { Interruption } from '../../schemas/round/fault.ts';
import type { FailedAttempt, ReportedAttempt } from '../../schemas/round/round.ts';
import type { Limits } from '../../schemas/run/run.ts';
import type { CheckpointStatus } from '../../workspaces/round/checkpoint.ts';
import { interruptedInWords } from '../step/interruption.ts';

/** What an attempt amounts to, before its work is committed. */
export type Verdict =
  | Pick<ReportedAttempt, 'kind' | 'report' | 'finalText'>
  | Pick<FailedAttempt, 'kind' | 'fault'>
  | { readonly kind: 'interrupted'; readonly by: Interruption };

/** Hold what an agent said to the report contract. @param by who ended the agent from outside; null: nobody */
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
