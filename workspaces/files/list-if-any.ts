import { readdirSync } from 'node:fs';
import { errorCode } from '../../system/error-code.ts';

/** The names in a folder; none where there is no such folder. */
export function listIfAny(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  }
}
