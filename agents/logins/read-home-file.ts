import { constants } from 'node:fs';
import { open, realpath, type FileHandle } from 'node:fs/promises';
import path from 'node:path';

const MAX_BYTES = 1_048_576;

/** A regular file at its very place below a private HOME, null for anything else: an agent may have put anything there. */
export async function readHomeFile(home: string, to: string): Promise<string | null> {
  return await withHomeFile(home, to, async (handle) =>
    (await handle.stat()).size <= MAX_BYTES ? await handle.readFile('utf8') : null,
  );
}

/** Read of such a file what `read` takes of it. Null as well where it cannot be read. */
export async function withHomeFile<T>(
  home: string,
  to: string,
  read: (handle: FileHandle) => Promise<T>,
): Promise<T | null> {
  try {
    const file = path.join(await realpath(home), to);
    if ((await realpath(file)) !== file) return null;
    const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      return (await handle.stat()).isFile() ? await read(handle) : null;
    } finally {
      await handle.close();
    }
  } catch {
    // Gone, or nothing to be read: what the program would have written there is not known then.
    return null;
  }
}
