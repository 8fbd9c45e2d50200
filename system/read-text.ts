import { readFile } from 'node:fs/promises';
import { hasCode } from './error-code.ts';

/** The text of a file of ours, null where there is no such file. */
export async function readTextIfAny(file: string): Promise<string | null> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (hasCode(error, 'ENOENT') || hasCode(error, 'ENOTDIR')) return null;
    throw error;
  }
}
