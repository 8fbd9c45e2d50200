import { readdir } from 'node:fs/promises';
import { errnoOf } from './errno.ts';

/** The names in a folder; none where there is no such folder. */
export async function listIfAny(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return [];
    throw error;
  }
}
