import { ApplicationFailure } from '@temporalio/activity';
import { z } from 'zod';
import { ralphError, RalphError } from '../schemas/errors/index.ts';
import { SpawnerLost } from '../workspaces/git-spawner.ts';
import { diskFullFault } from './disk-full-fault.ts';

/**
 * What an activity throws to Temporal. An error for people keeps its code and text; anything else is a defect of ours
 * and not retried either: an agent must not be paid again and again for it. Retries are for lost and stopped workers,
 * for the helper that starts git, which can be lost as a worker can, and for a full disk, which gets room.
 */
export function asFailure(error: unknown): ApplicationFailure {
  const code = error instanceof RalphError ? error.code : 'internal';
  return ApplicationFailure.create({
    message: errorMessage(error),
    type: code,
    nonRetryable: !(error instanceof SpawnerLost) && diskFullFault(error) === null,
    cause: toError(error),
  });
}

/** Hold an activity's argument to its schema. A mismatch means that worker and client are of different versions. */
export function parseInput<T>(schema: z.ZodType<T>, value: unknown): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw ralphError('engine-mismatch', { details: z.prettifyError(parsed.error) });
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

export const errorMessage = (error: unknown): string => (error instanceof Error ? error.message : String(error));
