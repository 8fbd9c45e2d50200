import { ApplicationFailure } from '@temporalio/activity';
import { z } from 'zod';
import type { Redactor } from '../../redaction/redactor.ts';
import { ralphError, RalphError } from '../../schemas/errors/index.ts';
import { SpawnerLost } from '../../workspaces/git/git-spawner.ts';
import { roomFault } from './room-fault.ts';

/**
 * What an activity throws to Temporal. An error for people keeps its code and text; anything else is a defect of ours
 * and not retried either: an agent must not be paid again and again for it. Retries are for lost and stopped workers,
 * for the helper that starts git, which can be lost as a worker can, and for a machine that is full, which gets room.
 */
export function asFailure(error: unknown, redactor: Redactor): ApplicationFailure {
  const code = error instanceof RalphError ? error.code : 'internal';
  return ApplicationFailure.create({
    message: redactor.text(errorMessage(error)),
    type: code,
    nonRetryable: !(error instanceof SpawnerLost) && roomFault(error) === null,
    cause: redactedError(error, redactor),
  });
}

/** Hold an activity's argument to its schema. A mismatch means that worker and client are of different versions. */
export function parseInput<T>(schema: z.ZodType<T>, value: unknown): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw ralphError('engine-mismatch', { details: z.prettifyError(parsed.error) });
}

/** The same with messages and stacks redacted, down its causes: Temporal keeps them all. */
function redactedError(error: unknown, redactor: Redactor): Error {
  if (!(error instanceof Error)) return new Error(redactor.text(String(error)));
  const { cause } = error;
  const told = new Error(
    redactor.text(error.message),
    cause === undefined ? {} : { cause: redactedError(cause, redactor) },
  );
  told.name = error.name;
  if (error.stack !== undefined) told.stack = redactor.text(error.stack);
  return told;
}

export const errorMessage = (error: unknown): string => (error instanceof Error ? error.message : String(error));
