import { ApplicationFailure, Context } from '@temporalio/activity';
import { z } from 'zod';
import type { Redactor } from '../../redaction/redactor.ts';
import type { StepInput } from '../../schemas/loop/loop-input.ts';
import { ralphError, RalphError } from '../../schemas/errors/index.ts';
import { messageOf } from '../../system/error-code.ts';
import { runPaths } from '../../workspaces/records/run-paths.ts';
import { mustHold, type Hold } from '../holds-run.ts';
import { roomFault } from './faults.ts';
import { redacted, type Machine } from './machine.ts';
import type { TakeTurn, Turn } from './one-at-a-time.ts';

const BEAT_MS = 1_000;

/** What an activity's work is given. */
export interface Work<I, P> {
  readonly machine: Machine;
  readonly input: I;
  readonly turn: Turn;
  /** Tell who follows the run how far the work is: the details of the next heartbeats. */
  readonly show: (progress: P) => void;
}

/** What an activity is made of. `P`: the details of its heartbeats; null until it shows some. */
interface Made<I extends typeof StepInput, O, P> {
  readonly input: I;
  readonly output: z.ZodType<O>;
  /** How the asking execution must hold the run. */
  readonly hold: Hold;
  readonly work: (given: Work<z.output<I>, P>) => Promise<O>;
  /** What to return in place of an error; null: throw it. Not asked if the activity was ended from outside. */
  readonly answer: (error: unknown) => O | null;
}

/** The `answer` of an activity whose errors are all thrown. */
export const throwAll = (): null => null;

/**
 * Make an activity. Its input is parsed; it beats every second; of one run, one activity works at a time; its result is
 * redacted; and if it is ended from outside it leaves by the very reason: Temporal reads anything else as a failure.
 */
export function makeActivity<I extends typeof StepInput, O, P = null>(
  machine: Machine,
  takeTurn: TakeTurn,
  made: Made<I, O, P>,
): (given: z.input<I>) => Promise<O> {
  const { redactor } = machine;
  const clean = (record: O): O => redacted({ redactor, schema: made.output, record });
  return async (given) => {
    const context = Context.current();
    let signal = context.cancellationSignal;
    let progress: P | null = null;
    const beat = (): void => context.heartbeat(progress);
    const timer = setInterval(beat, BEAT_MS);
    // The first beat tells something: one without details would hold the next one back.
    const show = (next: P): void => {
      const isFirst = progress === null;
      progress = next;
      if (isFirst) beat();
    };
    try {
      const input = parseInput(made.input, given);
      const { runId } = input.request;
      return await takeTurn(runId, context, async (turn) => {
        ({ signal } = turn);
        await mustHold(made.hold, runPaths(machine.ralphHome, runId), context);
        return clean(await made.work({ machine, input, turn, show }));
      });
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      const answer = made.answer(error);
      if (answer !== null) return clean(answer);
      throw asFailure(error, redactor);
    } finally {
      clearInterval(timer);
    }
  };
}

/** Validate an activity's argument. A mismatch means that worker and client are of different versions. */
function parseInput<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw ralphError('engine-mismatch', { details: z.prettifyError(parsed.error) });
}

/**
 * What an activity throws to Temporal. An error for people keeps its code and text; anything else is a defect of ours
 * and not retried either: an agent must not be paid again and again for it. Retries are for lost and stopped workers, and
 * for a machine that is full, which gets room.
 */
function asFailure(error: unknown, redactor: Redactor): ApplicationFailure {
  if (error instanceof ApplicationFailure) return error;
  return ApplicationFailure.create({
    message: redactor.text(messageOf(error)),
    type: error instanceof RalphError ? error.code : 'internal',
    nonRetryable: roomFault(error) === null,
    cause: redactedError(error, redactor),
  });
}

/** The same with messages and stacks redacted, down its causes: Temporal keeps them all. */
function redactedError(error: unknown, redactor: Redactor): Error {
  if (!(error instanceof Error)) return new Error(redactor.text(String(error)));
  const { cause } = error;
  const clean = new Error(
    redactor.text(error.message),
    cause === undefined ? {} : { cause: redactedError(cause, redactor) },
  );
  clean.name = error.name;
  if (error.stack !== undefined) clean.stack = redactor.text(error.stack);
  return clean;
}
