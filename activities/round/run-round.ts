import { Context } from '@temporalio/activity';
import { RoundInput, type RoundProgress } from '../../schemas/round/round-input.ts';
import { AttemptOutcome, RoundResult } from '../../schemas/round/round.ts';
import { agentTitle } from '../../schemas/run/titles.ts';
import { runPaths, type RunPaths } from '../../workspaces/records/run-paths.ts';
import { attemptsAt, finishedSince, openAttempt } from '../../workspaces/records/attempts.ts';
import { actingAgent } from './acting-agent.ts';
import { mendLedger } from './mend-ledger.ts';
import { attemptRound } from './attempt-round.ts';
import { asFailure, parseInput } from '../step/failures.ts';
import type { Machine } from '../step/machine.ts';
import { roomFault } from '../step/room-fault.ts';
import { nothingStarted } from '../step/disposal.ts';
import { lostAttempts } from '../../workspaces/records/lost-attempts.ts';
import type { TakeTurn, Turn } from '../step/one-at-a-time.ts';
import { notBegun, unproved } from './outcome.ts';
import { startPulse, type Pulse } from '../step/pulse.ts';
import { redacted } from '../step/redacted.ts';
import { recordAttempt } from './record-attempt.ts';
import { settleAttempts } from './settle-attempts.ts';
import { settleChecks } from '../verification/settle-checks.ts';

/** One attempt at a round by a fresh agent: fence, agent, disposal, report, checkpoint. */
export function runRoundActivity(machine: Machine, takeTurn: TakeTurn) {
  return async (given: RoundInput): Promise<RoundResult> => {
    const context = Context.current();
    const pulse = startPulse<RoundProgress | null>(context, null);
    let signal = context.cancellationSignal;
    try {
      const input = parseInput(RoundInput, given);
      return await takeTurn(input.request.runId, context, async (turn) => {
        ({ signal } = turn);
        const result = await runRound({ machine, turn, input, pulse });
        return redacted({ redactor: machine.redactor, schema: RoundResult, record: result });
      });
    } catch (error) {
      // A cancelled activity must leave by the very reason: anything else reads as a failure of the round.
      if (signal.aborted) throw signal.reason;
      throw asFailure(error, machine.redactor);
    } finally {
      pulse.stop();
    }
  };
}

async function runRound({
  machine,
  turn: { signal, interruption, confirmed },
  input,
  pulse,
}: {
  machine: Machine;
  turn: Turn;
  input: RoundInput;
  pulse: Pulse<RoundProgress | null>;
}): Promise<RoundResult> {
  const { redactor } = machine;
  const { request, round, afterAttempt } = input;
  const run = runPaths(machine.ralphHome, request.runId);
  await mendLedger(run);
  const finished = await finishedSince(run, round, afterAttempt);
  if (finished !== null) return finished;

  // An attempt that a full disk kept from having a folder has its number all the same.
  const attempt = Math.max((await attemptsAt(run, round)).at(-1) ?? 0, afterAttempt) + 1;
  const startedAt = new Date().toISOString();
  const frame = { request, round, attempt, startedAt, agent: agentTitle(actingAgent(input)) };
  const first: RoundProgress = { round, attempt, phase: 'fencing', startedAt, activity: null, tokens: null };
  pulse.show(first);
  try {
    const known = { round, afterAttempt };
    const checks = await settleChecks({ run, request });
    const { receipts } = await settleAttempts({ redactor, run, request, by: 'worker-lost', known, mustSave: true });
    const alive = [...checks, ...receipts].find(({ proof }) => proof === 'unproved');
    if (alive !== undefined) return notBegun({ ...frame, fault: unproved(alive), receipt: alive });
    signal.throwIfAborted();
    const completed = await finishedSince(run, round, afterAttempt);
    if (completed !== null) return completed;
    // Before another one is paid for the loop is to count them, and to ask its budgets.
    const lost = await lostAttempts(run, known);
    if (lost.length > 0) return { kind: 'lost', round, attempts: lost };
    const outcome = await attemptRound({
      machine,
      run,
      input,
      attempt,
      startedAt,
      paths: await openAttempt(run, round, attempt),
      signal,
      interruption,
      confirmed,
      show: (progress) => {
        pulse.show({ ...first, ...progress });
      },
    });
    if (outcome.kind === 'interrupted' && outcome.receipt.proof === 'unproved') throw signal.reason;
    const recorded = await record(run, redacted({ redactor, schema: AttemptOutcome, record: outcome }));
    if (recorded.kind === 'interrupted') throw signal.reason;
    return recorded;
  } catch (error) {
    const fault = signal.aborted ? null : roomFault(error);
    if (fault === null) throw error;
    return notBegun({ ...frame, fault, receipt: await nothingStarted(request.sandbox) });
  }
}

/** Write the outcome down. Where the disk has no room for it that is what the attempt failed of. */
async function record(run: RunPaths, outcome: AttemptOutcome): Promise<AttemptOutcome> {
  try {
    await recordAttempt(run, outcome);
    return outcome;
  } catch (error) {
    const fault = roomFault(error);
    if (fault === null) throw error;
    switch (outcome.kind) {
      case 'reported': {
        const { report: _report, finalText: _finalText, ...rest } = outcome;
        return { ...rest, kind: 'failed', fault };
      }
      case 'failed':
      case 'interrupted':
        return outcome;
      default:
        return outcome satisfies never;
    }
  }
}
