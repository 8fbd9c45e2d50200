import { readFileSync } from 'node:fs';
import { hasCode } from './error-code.ts';

/**
 * The text of a file of ours, null where there is no such file.
 *
 * This function is synchronous, as are all that read, list or make the engine's own small files: a thread that waits for
 * one costs more than the call itself. What may be large (an agent's tree, a transcript, a pack) is read asynchronously.
 */
export function readTextIfAny(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (hasCode(error, 'ENOENT') || hasCode(error, 'ENOTDIR')) return null;
    throw error;
  }
}
