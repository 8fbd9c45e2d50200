import { RalphError } from '../schemas/errors/index.ts';
import type { Fault } from '../schemas/fault.ts';

/** The fault of an error that says that the disk is full; null for any other. */
export function diskFullFault(error: unknown): Fault | null {
  if (!(error instanceof RalphError) || error.code !== 'disk-full') return null;
  return { code: 'disk-full', message: error.message, resetAt: null };
}
