import { saysShortage, wordsSayShortage } from '../../agents/containment/choose/shortage.ts';
import type { Fault } from '../../schemas/round/fault.ts';
import { messageOf } from '../../system/message-of.ts';
import { GitError } from '../../workspaces/git/git.ts';
import { diskFullFault } from './disk-full-fault.ts';

/** The fault of an error that says that the machine has no room now: on the disk, or for a process. Null: any other. */
export function roomFault(error: unknown): Fault | null {
  return diskFullFault(error) ?? (isShort(error) ? shortage(error) : null);
}

const isShort = (error: unknown): boolean =>
  saysShortage(error) || (error instanceof GitError && wordsSayShortage(error.message));

const shortage = (error: unknown): Fault => ({ code: 'machine-short', message: messageOf(error), resetAt: null });
