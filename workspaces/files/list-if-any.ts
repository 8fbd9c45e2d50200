import { readdirSync } from 'node:fs';
import { errorCode } from '../../system/error-code.ts';

/** The names in a folder; none where there is no such folder. */
export async function listIfAny(folder: string): Promise<string[]> {
  try {
    return await Promise.resolve(readdirSync(folder));
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  }
}
