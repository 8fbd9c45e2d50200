import { readdir, lstat } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { parseUntrustedSettings } from '../../system/untrusted-json.ts';
import { readHomeFile } from '../logins/read-home-file.ts';

const JsonObject = z.record(z.string(), z.unknown());
export type JsonObject = z.infer<typeof JsonObject>;

/** Which of these names are in the top folder of a workspace, whatever they are. */
export async function presentIn(tree: string, names: readonly string[]): Promise<string[]> {
  const present: string[] = [];
  for (const name of names) {
    const isThere = await lstat(path.join(tree, name)).then(
      () => true,
      () => false,
    );
    if (isThere) present.push(name);
  }
  return present;
}

/** The entries of a folder of a workspace. Null: it is a link or a file; empty: it is not there. */
export async function entriesIn(tree: string, folder: string): Promise<string[] | null> {
  const place = path.join(tree, folder);
  try {
    return (await lstat(place)).isDirectory() ? await readdir(place) : null;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ENOENT' ? [] : null;
  }
}

/** A settings file of a workspace, which may hold comments. Null: it is missing, is no regular file or is no JSON object. */
async function readTreeSettings(tree: string, file: string): Promise<JsonObject | null> {
  const text = await readHomeFile(tree, file);
  if (text === null) return null;
  try {
    const parsed = JsonObject.safeParse(parseUntrustedSettings(text));
    return parsed.success ? parsed.data : null;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    // What the program itself could not read either names nothing that could be run.
    return null;
  }
}

/** One table of each of several settings files, the later file's entries over the earlier one's. */
export async function mergeTables(tree: string, files: readonly string[], table: string): Promise<JsonObject> {
  let merged: JsonObject = {};
  for (const file of files) {
    const found = JsonObject.safeParse((await readTreeSettings(tree, file))?.[table]);
    if (found.success) merged = { ...merged, ...found.data };
  }
  return merged;
}
