import { Context } from '@temporalio/activity';
import type { Interruption } from '../schemas/fault.ts';
import { RoundInput, type RoundProgress } from '../schemas/round-input.ts';
import type { FinishedAttempt } from '../schemas/round.ts';
import { runPaths } from '../workspaces/run-paths.ts';
import { attemptsAt, finishedSince, openAttempt } from './attempts.ts';
import { attemptRound } from './attempt-round.ts';
import { asFailure, parseInput } from './failures.ts';
import type { ActivityContext } from './index.ts';
import { interruptionOf } from './interruption.ts';
import { refusedStart } from './outcome.ts';
import { startPulse } from './pulse.ts';
import { recordAttempt } from './record-attempt.ts';
import { settleAttempts } from './settle-attempts.ts';

/** One attempt at a round by a fresh agent: fence, agent, disposal, report, checkpoint. */
export function runRoundActivity(machine: ActivityContext) {
  return async (given: RoundInput): Promise<FinishedAttempt> => {
    const context = Context.current();
    const signal = context.cancellationSignal;
    try {
      return await runRound(machine, context, parseInput(RoundInput, given));
    } catch (error) {
      // A cancelled activity must leave by the very reason: anything else reads as a failure of the round.
      if (signal.aborted) throw signal.reason;
      throw asFailure(error);
    }
  };
}

async function runRound(machine: ActivityContext, context: Context, input: RoundInput): Promise<FinishedAttempt> {
  const { request, round } = input;
  const run = runPaths(machine.ralphHome, request.runId);
  const known = await finishedSince(run, round, input.afterAttempt);
  if (known !== null) return known;

  const attempt = ((await attemptsAt(run, round)).at(-1) ?? 0) + 1;
  const startedAt = new Date().toISOString();
  const first: RoundProgress = { round, attempt, phase: 'fencing', startedAt, activity: null, tokens: null };
  const pulse = startPulse(context, first);
  try {
    const unproved = (await settleAttempts({ run, request, by: 'worker-lost' })).find(
      ({ proof }) => proof === 'unproved',
    );
    if (unproved !== undefined) return refusedStart({ request, round, attempt, startedAt, receipt: unproved });
    context.cancellationSignal.throwIfAborted();
    const outcome = await attemptRound({
      machine,
      run,
      input,
      attempt,
      startedAt,
      paths: await openAttempt(run, round, attempt),
      signal: context.cancellationSignal,
      interruption: (): Interruption => interruptionOf(context),
      show: (progress) => {
        pulse.show({ ...first, ...progress });
      },
    });
    await recordAttempt(run, outcome);
    if (outcome.kind === 'interrupted') throw context.cancellationSignal.reason;
    return outcome;
  } finally {
    pulse.stop();
  }
}
