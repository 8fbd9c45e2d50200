import { ralphError } from '../schemas/errors/index.ts';
import { errorCode } from './error-code.ts';

const FULL = new Set(['ENOSPC', 'EDQUOT']);
/** What git prints for these under LC_ALL=C. */
const FULL_TEXT = /No space left on device|Disk quota exceeded/;

export function saysDiskFull(stderr: string): boolean {
  return FULL_TEXT.test(stderr);
}

/** Do `work`; where the disk has no room for it, the error names that cause and `what` was being written. */
export async function namingFullDisk<T>(what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw namedIfDiskFull(what, error);
  }
}

/** The error to throw in place of `error`: where the disk had no room, one that names that and `what` was being written. */
export function namedIfDiskFull(what: string, error: unknown): unknown {
  return FULL.has(errorCode(error)) ? ralphError('disk-full', { what }, { cause: error }) : error;
}
