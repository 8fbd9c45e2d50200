import { RalphError } from '../../schemas/errors/index.ts';
import type { Fault } from '../../schemas/round/fault.ts';

const FULL = ['ENOSPC', 'EDQUOT', 'disk-full'];

/** The fault of an error that says that the disk is full, in our words or the system's; null for any other. */
export function diskFullFault(error: unknown): Fault | null {
  if (typeof error !== 'object' || error === null) return null;
  if ('code' in error && FULL.includes(String(error.code))) {
    const said = 'message' in error ? String(error.message) : String(error.code);
    const message = error instanceof RalphError ? said : `the disk is full: ${said}`;
    return { code: 'disk-full', message, resetAt: null };
  }
  return 'cause' in error ? diskFullFault(error.cause) : null;
}
