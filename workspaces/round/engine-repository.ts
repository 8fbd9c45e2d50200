import { randomBytes } from 'node:crypto';
import { copyFile, mkdir, readFile, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { ralphError } from '../../schemas/errors/index.ts';
import { gitText } from '../git/git.ts';
import { readTextIfAny } from '../../system/read-text.ts';
import type { RunPaths } from '../records/run-paths.ts';

/** The branch of the engine's own repository that points at the last checkpoint. */
export const CHECKPOINT_BRANCH = 'checkpoint';
export const CHECKPOINT_REF = `refs/heads/${CHECKPOINT_BRANCH}`;

const OID = /^[0-9a-f]{40}$/;

export function isOid(text: string): boolean {
  return OID.test(text);
}

export function objectsFolder(paths: RunPaths): string {
  return join(paths.repository, 'objects');
}

/** The engine's index: what it last saw in the tree. Copied rather than used, so that a killed git harms nothing. */
export function engineIndex(paths: RunPaths): string {
  return join(paths.repository, 'index');
}

/** The last checkpoint's commit. Throws RalphError `workspace-missing`. */
export async function lastCheckpoint(paths: RunPaths): Promise<string> {
  const loose = (await readTextIfAny(join(paths.repository, CHECKPOINT_REF)))?.trim() ?? '';
  if (isOid(loose)) return loose;
  const head = await readFile(join(paths.repository, 'HEAD')).catch(() => null);
  if (head === null) throw ralphError('workspace-missing', { path: paths.root });
  return gitText({ gitDir: paths.repository, args: ['rev-parse', '--verify', CHECKPOINT_REF] });
}

/** Copy an index with its time: git compares it with the files' to know which entries it cannot trust. */
export async function copyIndex(from: string, to: string): Promise<void> {
  await copyFile(from, to);
  const { atime, mtime } = await stat(from);
  await utimes(to, atime, mtime);
}

/** A new empty folder for one operation's files. */
export async function scratchFolder(paths: RunPaths): Promise<string> {
  const folder = join(paths.scratch, randomBytes(6).toString('hex'));
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return folder;
}
