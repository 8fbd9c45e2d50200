import { constants } from 'node:fs';
import { open, realpath } from 'node:fs/promises';
import path from 'node:path';

const MAX_BYTES = 1_048_576;

/** A regular file at its very place below a private HOME, null for anything else: an agent may have put anything there. */
export async function readHomeFile(home: string, to: string): Promise<string | null> {
  try {
    const file = path.join(await realpath(home), to);
    if ((await realpath(file)) !== file) return null;
    const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const found = await handle.stat();
      return found.isFile() && found.size <= MAX_BYTES ? await handle.readFile('utf8') : null;
    } finally {
      await handle.close();
    }
  } catch {
    // Gone, or nothing to be read: there is no renewed login then.
    return null;
  }
}
