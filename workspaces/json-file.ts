import { randomBytes } from 'node:crypto';
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { z } from 'zod';
import { parseRecord } from '../schemas/parse-record.ts';
import { namingFullDisk } from './disk-full.ts';
import { errnoOf } from './errno.ts';

/** Folders of the engine's own state are for its user alone. */
export async function makePrivateFolder(folder: string): Promise<void> {
  await namingFullDisk(folder, () => mkdir(folder, { recursive: true, mode: 0o700 }));
}

/** Write text so that the file holds all of it or what it held before, whatever is killed. Mode 0600. */
async function writeTextAtomically(file: string, text: string): Promise<void> {
  const draft = `${file}.${randomBytes(6).toString('hex')}.new`;
  await makePrivateFolder(dirname(file));
  await namingFullDisk(file, async () => {
    try {
      const handle = await open(draft, 'wx', 0o600);
      try {
        await handle.writeFile(text);
        await handle.sync();
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

export async function writeJsonAtomically(file: string, value: unknown): Promise<void> {
  await writeTextAtomically(file, `${JSON.stringify(value, null, 2)}\n`);
}

/** Null where there is no such file. Throws ZodError or SyntaxError, naming the file, where it holds something else. */
export async function readJson<S extends z.ZodType>(file: string, schema: S): Promise<z.infer<S> | null> {
  const text = await readTextIfAny(file);
  if (text === null) return null;
  try {
    return parseRecord(schema, JSON.parse(text));
  } catch (error) {
    throw new Error(`${file} does not hold what it should`, { cause: error });
  }
}

/** Null where there is no such file. */
export async function readTextIfAny(file: string): Promise<string | null> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (errnoOf(error) === 'ENOENT' || errnoOf(error) === 'ENOTDIR') return null;
    throw error;
  }
}
