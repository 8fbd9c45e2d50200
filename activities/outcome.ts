import { hostname } from 'node:os';
import type { AgentRun } from '../agents/run-agent.ts';
import { decodeReport } from '../schemas/check-report.ts';
import { RalphError } from '../schemas/errors/index.ts';
import type { Fault, Interruption } from '../schemas/fault.ts';
import type { Receipt } from '../schemas/receipt.ts';
import { boundText } from '../schemas/bound-text.ts';
import type { AttemptOutcome, FailedAttempt } from '../schemas/round.ts';
import type { RunRequest } from '../schemas/run.ts';
import type { RunPaths } from '../workspaces/run-paths.ts';
import type { CheckpointStatus } from '../workspaces/checkpoint.ts';
import { interruptedInWords } from './interruption.ts';
import { saveWork } from './save-work.ts';

interface Frame {
  readonly run: RunPaths;
  readonly request: RunRequest;
  readonly round: number;
  readonly attempt: number;
  readonly startedAt: string;
  readonly interruption: () => Interruption;
}

/** What an agent's run amounts to, with its work committed. Work that may still change is not committed. */
export async function outcomeOf({ ran, ...frame }: Frame & { ran: AgentRun }): Promise<AttemptOutcome> {
  const { run, request, round, attempt } = frame;
  const { reading, receipt } = ran;
  const told = {
    agentMs: ran.agentMs,
    usage: reading.usage,
    costUsd: reading.costUsd,
    sandbox: { ...request.sandbox, mechanism: receipt.mechanism },
  };
  if (receipt.proof === 'unproved') {
    return { kind: 'failed', ...head(frame), ...told, fault: unproved(receipt), checkpoint: null, receipt };
  }
  const verdict = verdictOf(ran, frame);
  const { status, summary } = inWords(verdict);
  const checkpoint = await saveWork({ run, request, round, attempt, status, summary });
  return { ...verdict, ...head(frame), ...told, checkpoint, receipt: { ...receipt, commit: checkpoint.commit } };
}

type Verdict =
  | Pick<Extract<AttemptOutcome, { kind: 'reported' }>, 'kind' | 'report' | 'finalText'>
  | Pick<FailedAttempt, 'kind' | 'fault'>
  | { readonly kind: 'interrupted'; readonly by: Interruption };

function verdictOf({ ended, reading }: AgentRun, { request, interruption }: Frame): Verdict {
  if (ended === 'aborted') return { kind: 'interrupted', by: interruption() };
  if (reading.report.kind === 'fault') return { kind: 'failed', fault: reading.report.fault };
  const { maxHandoffChars, maxResultChars } = request.limits;
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

function inWords(verdict: Verdict): { status: CheckpointStatus; summary: string } {
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

/** The outcome of an attempt whose agent could not be started. A defect of ours is thrown on. */
export async function notStarted({
  aborted,
  error,
  ...frame
}: Frame & { aborted: boolean; error: unknown }): Promise<AttemptOutcome> {
  const { run, request, round, attempt } = frame;
  if (!aborted && !(error instanceof RalphError)) throw error;
  const receipt = nothingStarted();
  const verdict: Exclude<Verdict, { kind: 'reported' }> = aborted
    ? { kind: 'interrupted', by: frame.interruption() }
    : { kind: 'failed', fault: { code: 'agent-unavailable', message: messageOf(error), resetAt: null } };
  const checkpoint = await saveWork({ run, request, round, attempt, ...inWords(verdict) });
  return {
    ...verdict,
    ...head(frame),
    ...nothingUsed(request, receipt),
    checkpoint,
    receipt: { ...receipt, commit: checkpoint.commit },
  };
}

/** The outcome of an attempt that was not begun, as an earlier one may still be alive. It leaves no folder. */
export function refusedStart({
  request,
  round,
  attempt,
  startedAt,
  receipt,
}: Omit<Frame, 'run' | 'interruption'> & { receipt: Receipt }): FailedAttempt {
  const frame = { round, attempt, startedAt };
  return {
    kind: 'failed',
    ...head(frame),
    ...nothingUsed(request, receipt),
    fault: unproved(receipt),
    checkpoint: null,
    receipt,
  };
}

function head({ round, attempt, startedAt }: Pick<Frame, 'round' | 'attempt' | 'startedAt'>) {
  return { round, attempt, startedAt, endedAt: new Date().toISOString() };
}

function nothingUsed({ sandbox }: RunRequest, { mechanism }: Receipt) {
  return { agentMs: 0, usage: null, costUsd: null, sandbox: { ...sandbox, mechanism } };
}

function unproved({ left }: Receipt): Fault {
  const named = left.map(({ pid, command, why }) => `${pid} (${command}: ${why})`).join(', ');
  return {
    code: 'disposal-unproved',
    message: `it could not be proved that nothing of the round is left${named === '' ? '' : `: ${named}`}`,
    resetAt: null,
  };
}

function nothingStarted(): Receipt {
  return {
    cause: 'fault',
    mechanism: 'process-group',
    proof: 'nothing-started',
    signals: [],
    killed: [],
    left: [],
    ms: 0,
    at: new Date().toISOString(),
    host: hostname(),
    commit: null,
  };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
