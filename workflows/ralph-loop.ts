import {
  allHandlersFinished,
  ApplicationFailure,
  CancelledFailure,
  condition,
  continueAsNew,
  workflowInfo,
} from '@temporalio/workflow';
import { LoopInput } from '../schemas/loop/loop-input.ts';
import type { RunResult, UnreleasedEnding } from '../schemas/run/result.ts';
import { parseRecord } from '../schemas/text/parse-record.ts';
import { listen, whilePaused } from './control.ts';
import { advance, endBefore } from './decide/advance.ts';
import type { LoopEvent, Next, Wait } from './decide/events.ts';
import { endingOfError, endRun, runFailure } from './ending.ts';
import { newRun, type Run, say } from './run.ts';
import { attempt, gates, moment, prepare, review, type Step } from './steps.ts';

/** Send fresh agents at one objective, one round each, until it is met, blocked, failed or out of a budget. */
export async function ralphLoop(input: LoopInput): Promise<RunResult> {
  const parsed = LoopInput.safeParse(input);
  if (!parsed.success) throw ApplicationFailure.nonRetryable(parsed.error.message, 'InvalidLoopInput');
  const run = newRun(parsed.data);
  listen(run);
  let ending: UnreleasedEnding;
  try {
    ending = await reachEnding(run);
  } catch (error) {
    ending = endingOfError(error, run);
  }
  await endRun(run, ending);
  switch (ending.status) {
    case 'round-failed':
      throw runFailure(ending);
    case 'cancelled':
      throw new CancelledFailure('cancelled');
    case 'complete':
    case 'blocked':
    case 'budget-limited':
    case 'stalled':
    case 'stopped':
      return ending;
    default:
      return ending satisfies never;
  }
}

/** Do what is next, and let `advance` decide what follows from what happened. */
async function reachEnding(run: Run): Promise<UnreleasedEnding> {
  const roundsBefore = run.state.rounds;
  let event: LoopEvent = { kind: 'begun', ...moment() };
  for (;;) {
    const { state, next } = advance(run.request, run.state, event);
    run.state = state;
    switch (next.kind) {
      case 'end':
        return next.ending;
      case 'wait':
        event = { kind: 'waited', ms: await waitOut(run, next.wait), ...moment() };
        break;
      case 'prepare':
      case 'attempt':
      case 'gates':
      case 'review': {
        if (next.kind === 'attempt') await continueIfLong(run, roundsBefore);
        run.round = roundOf(run, next);
        await whilePaused(run);
        const ending = endBefore(run.state, next, run.controls.stop);
        if (ending !== null) return ending;
        event = await stepOf(next)(run, { afterPause: event.kind === 'interrupted' });
        break;
      }
      default:
        next satisfies never;
    }
  }
}

/** The round that a step is about; 0 before the first. */
const roundOf = ({ state: { rounds } }: Run, next: Next): number => (next.kind === 'attempt' ? rounds + 1 : rounds);

function stepOf(next: Extract<Next, { kind: 'prepare' | 'attempt' | 'gates' | 'review' }>): Step {
  switch (next.kind) {
    case 'prepare':
      return prepare;
    case 'attempt':
      return attempt;
    case 'gates':
      return gates;
    case 'review':
      return review;
    default:
      return next satisfies never;
  }
}

/** A history that has grown long goes on in a new execution, with the same state. */
async function continueIfLong(run: Run, roundsBefore: number): Promise<void> {
  const { request, settings, state } = run;
  const rounds = state.rounds - roundsBefore;
  const isLong = settings.continueAfterRounds !== null && rounds >= settings.continueAfterRounds;
  if (!workflowInfo().continueAsNewSuggested && !isLong) return;
  await condition(allHandlersFinished);
  const { cancelReason, controls, nonces } = run;
  // The next execution rejects a field that it does not know.
  const next = parseRecord(LoopInput, {
    request,
    settings,
    state: run.state,
    carried: { cancelReason, controls, nonces },
  });
  await continueAsNew<typeof ralphLoop>(next);
}

/**
 * Wait on Temporal's clock, and say until when and why. `retry` and `stop` end it; the clock runs on during a pause.
 * @returns milliseconds waited
 */
async function waitOut(run: Run, { round, delayMs, why }: Wait): Promise<number> {
  const from = Date.now();
  const until = from + delayMs;
  const { retries } = run;
  run.round = round;
  while (Date.now() < until && run.retries === retries && !run.controls.stop) {
    await whilePaused(run);
    say(run, { status: 'waiting', round, until: new Date(until).toISOString(), why });
    const left = until - Date.now();
    if (left > 0) await condition(() => run.retries !== retries || run.controls.stop || run.controls.pause, left);
  }
  return Math.min(Date.now() - from, delayMs);
}
