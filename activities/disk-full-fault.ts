import { RalphError } from '../schemas/errors/index.ts';
import type { Fault } from '../schemas/fault.ts';

const FULL = ['ENOSPC', 'EDQUOT', 'disk-full'];

/** The fault of an error that says that the disk is full, in our words or the system's; null for any other. */
export function diskFullFault(error: unknown): Fault | null {
  if (!(error instanceof Error) || !('code' in error) || !FULL.includes(String(error.code))) return null;
  const message = error instanceof RalphError ? error.message : `the disk is full: ${error.message}`;
  return { code: 'disk-full', message, resetAt: null };
}
