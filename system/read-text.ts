import { existsSync, readFileSync } from 'node:fs';
import { hasCode } from './error-code.ts';

/**
 * The text of a file of ours, null where there is no such file. It is read at once: a thread that waits for a small file
 * costs more than the read.
 */
export async function readTextIfAny(file: string): Promise<string | null> {
  try {
    return await Promise.resolve(readFileSync(file, 'utf8'));
  } catch (error) {
    if (hasCode(error, 'ENOENT') || hasCode(error, 'ENOTDIR')) return null;
    throw error;
  }
}

/** Whether a file is there to be seen. One that is hidden counts as absent: either way there is nothing to read. */
export function exists(file: string): Promise<boolean> {
  return Promise.resolve(existsSync(file));
}
