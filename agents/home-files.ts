import { copyFile, chmod, mkdir, stat } from 'node:fs/promises';
import path from 'node:path';
import type { HomeFile } from './provider.ts';

const MAX_BYTES = 1_048_576;

/** Copy what is there of a user's login and settings files into a private HOME, readable by its owner alone. */
export async function copyHomeFiles(files: readonly HomeFile[], home: string): Promise<void> {
  for (const { from, to } of files) {
    if (!(await isUsable(from))) continue;
    const target = path.join(home, to);
    await mkdir(path.dirname(target), { recursive: true, mode: 0o700 });
    await copyFile(from, target);
    await chmod(target, 0o600);
  }
}

/** Whether a login of these is on this machine. */
export async function hasLogin(files: readonly HomeFile[]): Promise<boolean> {
  for (const { from, login } of files) {
    if (login && (await isUsable(from))) return true;
  }
  return false;
}

async function isUsable(file: string): Promise<boolean> {
  try {
    const found = await stat(file);
    return found.isFile() && found.size <= MAX_BYTES;
  } catch {
    // Not there, or not this user's to read: either way the agent goes without.
    return false;
  }
}
