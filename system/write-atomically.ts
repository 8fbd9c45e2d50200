import { randomBytes } from 'node:crypto';
import { closeSync, fsync, mkdirSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { namedIfDiskFull, namingFullDisk } from './disk-full.ts';

/** Folders of the engine's own state are for its user alone. */
export function makePrivateFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw namedIfDiskFull(folder, error);
  }
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

const flushed = promisify(fsync);

/** Only the flush is asynchronous: see `readTextIfAny`. */
async function replace(file: string, text: string, { flush }: { flush: boolean }): Promise<void> {
  const draft = `${file}.${randomBytes(6).toString('hex')}.new`;
  makePrivateFolder(dirname(file));
  await namingFullDisk(file, async () => {
    try {
      const handle = openSync(draft, 'wx', 0o600);
      try {
        writeFileSync(handle, text);
        if (flush) await flushed(handle);
      } finally {
        closeSync(handle);
      }
      renameSync(draft, file);
    } catch (error) {
      rmSync(draft, { force: true });
      throw error;
    }
  });
}
