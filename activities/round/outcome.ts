import type { AgentRun } from '../../agents/run/run-agent.ts';
import type { Redactor } from '../../redaction/redactor.ts';
import type { Fault, Interruption } from '../../schemas/round/fault.ts';
import type { Receipt } from '../../schemas/round/receipt.ts';
import type { AttemptOutcome, Checkpoint, FailedAttempt } from '../../schemas/round/round.ts';
import type { RunRequest } from '../../schemas/run/run.ts';
import type { RunPaths } from '../../workspaces/records/run-paths.ts';
import { SpawnerLost } from '../../workspaces/git/git-spawner.ts';
import { roomFault } from '../step/room-fault.ts';
import { errorMessage } from '../step/failures.ts';
import { disposalCause } from '../step/interruption.ts';
import { keepReading } from './keep-reading.ts';
import { saveWork } from './save-work.ts';
import { inWords, verdictOf, type Verdict } from './verdict.ts';

/** One attempt, as its outcome names it. */
export interface Frame {
  readonly redactor: Redactor;
  readonly run: RunPaths;
  readonly request: RunRequest;
  readonly round: number;
  readonly attempt: number;
  readonly startedAt: string;
  /** Who made it, as titles have it. */
  readonly agent: string;
  /** Asked where the attempt was ended from outside, once everything is disposed of: by whom. */
  readonly confirmed: () => Promise<Interruption>;
}

/** What an agent's run amounts to, with its work committed. Work that may still change is not committed. */
export async function outcomeOf({ ran, ...frame }: Frame & { ran: AgentRun }): Promise<AttemptOutcome> {
  const { use, agentMs } = ran;
  const by = ran.ended === 'aborted' ? await frame.confirmed() : null;
  const receipt = by === null ? ran.receipt : { ...ran.receipt, cause: disposalCause(by) };
  const told = {
    agentMs,
    ...use,
    agent: frame.agent,
    sandbox: { ...frame.request.sandbox, mechanism: receipt.mechanism },
  };
  if (receipt.proof === 'unproved') {
    // Whoever ended it from outside did not ask for the run's end: the next one to come disposes of it again.
    if (by !== null) return { kind: 'interrupted', by, ...head(frame), ...told, checkpoint: null, receipt };
    return { kind: 'failed', ...head(frame), ...told, fault: unproved(receipt), checkpoint: null, receipt };
  }
  const verdict = verdictOf(ran, frame.request.limits, by);
  if (verdict.kind !== 'interrupted') {
    const attempt = { ...verdict, ...head(frame), ...told, checkpoint: null, receipt };
    await keepReading(frame.redactor, frame.run, { attempt, notes: [...ran.notes] });
  }
  return { ...told, ...(await withWorkSaved(frame, { verdict, receipt, notes: ran.notes })) };
}

/** The outcome of an attempt in which no agent ran. */
export async function outcomeWithoutAgent(
  frame: Frame,
  verdict: Exclude<Verdict, { kind: 'reported' }>,
  receipt: Receipt,
) {
  return { ...nothingUsed(frame, receipt), ...(await withWorkSaved(frame, { verdict, receipt, notes: [] })) };
}

/**
 * The outcome of an attempt that could not be begun: an earlier one may still be alive, or the disk has no room for a
 * new one. Nothing of it is written down.
 */
export function notBegun({
  fault,
  receipt,
  ...frame
}: Omit<Frame, 'redactor' | 'run' | 'confirmed'> & { fault: Fault; receipt: Receipt }): FailedAttempt {
  return { kind: 'failed', ...head(frame), ...nothingUsed(frame, receipt), fault, checkpoint: null, receipt };
}

/** Commit the work. Where that is not possible it is what the attempt failed of; the work stays in the tree. */
async function withWorkSaved<V extends Verdict>(
  frame: Frame,
  ended: { verdict: V; receipt: Receipt; notes: readonly string[] },
) {
  const { redactor, run, request, round, attempt } = frame;
  const { verdict, receipt, notes } = ended;
  let checkpoint: Checkpoint;
  try {
    checkpoint = await saveWork({ redactor, run, request, round, attempt, ...inWords(verdict), notes });
  } catch (error) {
    if (error instanceof SpawnerLost) throw error;
    const fault = roomFault(error) ?? workspaceFault(error);
    const failed = verdict.kind === 'interrupted' ? verdict : ({ kind: 'failed', fault } as const);
    return { ...failed, ...head(frame), checkpoint: null, receipt };
  }
  return { ...verdict, ...head(frame), checkpoint, receipt: { ...receipt, commit: checkpoint.commit } };
}

function workspaceFault(error: unknown): Fault {
  const message = `the round's work could not be committed: ${errorMessage(error)}`;
  return { code: 'workspace-broken', message, resetAt: null };
}

function head({ round, attempt, startedAt }: Pick<Frame, 'round' | 'attempt' | 'startedAt'>) {
  return { round, attempt, startedAt, endedAt: new Date().toISOString() };
}

function nothingUsed({ request: { sandbox }, agent }: Pick<Frame, 'request' | 'agent'>, { mechanism }: Receipt) {
  return {
    agentMs: 0,
    usage: null,
    costUsd: null,
    costEstimated: false,
    agent,
    sandbox: { ...sandbox, mechanism },
  };
}

/** Why nothing may start beside what an attempt left. */
export function unproved({ left }: Receipt): Fault {
  const named = left.map(({ pid, command, why }) => `${pid} (${command}: ${why})`).join(', ');
  return {
    code: 'disposal-unproved',
    message: `it could not be proved that nothing of the round is left${named === '' ? '' : `: ${named}`}`,
    resetAt: null,
  };
}
