import { copyFile, chmod, mkdir, readFile, stat, lstat } from 'node:fs/promises';
import path from 'node:path';
import { fieldSecrets } from '../../redaction/field-secrets.ts';
import type { Redactor } from '../../redaction/redactor.ts';
import type { Secret } from '../../redaction/secret.ts';
import type { HomeFile } from '../provider.ts';
import { readHomeFile } from './read-home-file.ts';

const MAX_BYTES = 1_048_576;

/** A file of the user's as it was when it was copied into a private HOME. */
export interface HomeCopy extends HomeFile {
  readonly text: string;
}

/** Copy what is there of a user's login and settings files into a private HOME, readable by its owner alone. */
export async function copyHomeFiles(files: readonly HomeFile[], home: string): Promise<HomeCopy[]> {
  const copies: HomeCopy[] = [];
  for (const file of files) {
    if (!(await isUsable(file.from))) continue;
    const target = path.join(home, file.to);
    await mkdir(path.dirname(target), { recursive: true, mode: 0o700 });
    await copyFile(file.from, target);
    await chmod(target, 0o600);
    copies.push({ ...file, text: await readFile(target, 'utf8') });
  }
  return copies;
}

/** Whether a login of these is on this machine. */
export async function hasLogin(files: readonly HomeFile[]): Promise<boolean> {
  for (const { from, login } of files) {
    if (login && (await isUsable(from))) return true;
  }
  return false;
}

/** The tokens in those of the files that are on this machine. */
export async function homeFileSecrets(files: readonly HomeFile[]): Promise<Secret[]> {
  const secrets: Secret[] = [];
  for (const { from } of files) {
    if (await isUsable(from)) secrets.push(...copySecrets({ from, text: await readFile(from, 'utf8') }));
  }
  return secrets;
}

/** The tokens in a copy. */
export const copySecrets = ({ from, text }: Pick<HomeCopy, 'from' | 'text'>): Secret[] =>
  fieldSecrets(path.basename(from), text);

async function isUsable(file: string): Promise<boolean> {
  try {
    const found = await stat(file);
    return found.isFile() && found.size <= MAX_BYTES;
  } catch {
    // Not there, or not this user's to read: either way the agent goes without.
    return false;
  }
}

/**
 * Tokens that a program renews while a round is under way are learned before it can have printed them into a file of
 * ours. @returns what to await before each write
 */
export function watchLogins(copies: readonly HomeCopy[], home: string, redactor: Redactor): () => Promise<void> {
  const seen = new Map<HomeCopy, string>();
  return async () => {
    for (const copy of copies) {
      if (!copy.renews) continue;
      const state = await lstat(path.join(home, copy.to)).then(
        ({ ino, mtimeMs, size }) => `${ino} ${mtimeMs} ${size}`,
        () => 'gone',
      );
      if (state === seen.get(copy)) continue;
      seen.set(copy, state);
      const text = await readHomeFile(home, copy.to);
      if (text !== null) redactor.learn(copySecrets({ from: copy.from, text }));
    }
  };
}
