import { saysShortage, wordsSayShortage } from '../../agents/containment/choose/container-errors.ts';
import { RalphError, type ErrorCode } from '../../schemas/errors/index.ts';
import type { Fault } from '../../schemas/round/fault.ts';
import type { Receipt } from '../../schemas/round/receipt.ts';
import { errorCode, messageOf } from '../../system/error-code.ts';
import { GitError } from '../../workspaces/git/git.ts';

/** The fault of something that could not be begun, for a person to read. A defect of ours is thrown on. */
export function faultOfError(error: unknown, code: 'agent-unavailable' | 'workspace-broken'): Fault {
  if (!(error instanceof RalphError)) throw error;
  const isOfSandbox = OF_THE_SANDBOX.includes(error.code);
  return roomFault(error) ?? { code: isOfSandbox ? 'workspace-broken' : code, message: error.message, resetAt: null };
}

/** Errors that concern every command of the run alike: its setup, its agents and its gates. */
const OF_THE_SANDBOX: readonly ErrorCode[] = ['sandbox-unavailable', 'network-switch-unavailable', 'container-failed'];

/** Whether an error tells what failed outside this code: git, the system, a limit. Any other is a defect of ours. */
export function isForeign(error: unknown): boolean {
  if (error instanceof RalphError || error instanceof GitError) return true;
  const code = errorCode(error);
  // Node's name for a wrong use of its functions.
  return code !== '' && !code.startsWith('ERR_');
}

/** The fault of an error that says that the machine has no room now: on the disk, or for a process. Null: any other. */
export function roomFault(error: unknown): Fault | null {
  const full = diskFullFault(error);
  if (full !== null) return full;
  const isShort = saysShortage(error) || (error instanceof GitError && wordsSayShortage(error.message));
  return isShort ? { code: 'machine-short', message: messageOf(error), resetAt: null } : null;
}

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

/** Why nothing may start beside what a step left. */
export function unproved({ left }: Receipt): Fault {
  const named = left.map(({ pid, command, why }) => `${pid} (${command}: ${why})`).join(', ');
  return {
    code: 'disposal-unproved',
    message: `it could not be proved that nothing of the round is left${named === '' ? '' : `: ${named}`}`,
    resetAt: null,
  };
}
