import { randomBytes } from 'node:crypto';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { namingFullDisk } from './disk-full.ts';

/** Folders of the engine's own state are for its user alone. */
export async function makePrivateFolder(folder: string): Promise<void> {
  await namingFullDisk(folder, () => mkdir(folder, { recursive: true, mode: 0o700 }));
}

/**
 * Write text so that the file holds all of it or what it held before, whatever is killed; once this returns, also after
 * a power cut. Mode 0600.
 */
export async function writeTextAtomically(file: string, text: string): Promise<void> {
  await replace(file, text, { flush: true });
}

/** The same for what can be made again: after a power cut the file may be empty. */
export async function replaceText(file: string, text: string): Promise<void> {
  await replace(file, text, { flush: false });
}

async function replace(file: string, text: string, { flush }: { flush: boolean }): Promise<void> {
  const draft = `${file}.${randomBytes(6).toString('hex')}.new`;
  await makePrivateFolder(dirname(file));
  await namingFullDisk(file, async () => {
    try {
      const handle = await open(draft, 'wx', 0o600);
      try {
        await handle.writeFile(text);
        if (flush) await handle.sync();
      } finally {
        await handle.close();
      }
      await rename(draft, file);
    } catch (error) {
      await rm(draft, { force: true });
      throw error;
    }
  });
}
