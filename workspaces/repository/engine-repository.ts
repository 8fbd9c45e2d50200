import { randomBytes } from 'node:crypto';
import { copyFileSync, mkdirSync, statSync, utimesSync } from 'node:fs';
import { open, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ralphError } from '../../schemas/errors/index.ts';
import { errorCode } from '../../system/error-code.ts';
import { readTextIfAny } from '../../system/read-text.ts';
import { engineGit, engineGitText, type EngineCall } from '../git/git.ts';
import { removeStaleLock } from '../git/update-refs.ts';
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
  const loose = readTextIfAny(join(paths.repository, CHECKPOINT_REF))?.trim() ?? '';
  if (isOid(loose)) return loose;
  const head = await readFile(join(paths.repository, 'HEAD')).catch(() => null);
  if (head === null) throw ralphError('workspace-missing', { path: paths.root });
  return engineGitText({ gitDir: paths.repository, args: ['rev-parse', '--verify', CHECKPOINT_REF] });
}

/**
 * Move the engine's ref by compare-and-swap. Returns where the ref is now: `to`, or where somebody else put it. Nothing
 * else moves this ref.
 *
 * It follows git's own protocol for a loose ref (`checkpoint.lock`, then a rename), so that it holds against a git as
 * well, and it starts none: a move takes 0.6 ms, and 23 ms by `git update-ref` (medians of 101 on a busy machine with
 * two cores; decision 0020 says what a start of git costs).
 */
export async function moveCheckpoint(paths: RunPaths, { from, to }: { from: string; to: string }): Promise<string> {
  const file = join(paths.repository, CHECKPOINT_REF);
  const lock = `${file}.lock`;
  const handle = await open(lock, 'wx', 0o600).catch(async (error: unknown) => {
    if (errorCode(error) !== 'EEXIST') throw error;
    await removeStaleLock(lock);
    return open(lock, 'wx', 0o600);
  });
  let now: string;
  try {
    now = await lastCheckpoint(paths);
    if (now === from) {
      await handle.writeFile(`${to}\n`);
      await handle.sync();
    }
  } catch (error) {
    await rm(lock, { force: true });
    throw error;
  } finally {
    await handle.close();
  }
  if (now === from) await rename(lock, file);
  else await rm(lock, { force: true });
  return now === from ? to : now;
}

/** Copy an index with its time: git compares it with the files' to know which entries it cannot trust. */
export function copyIndex(from: string, to: string): void {
  copyFileSync(from, to);
  const { atime, mtime } = statSync(from);
  utimesSync(to, atime, mtime);
}

/**
 * Change an index by a git command that never looks at the tree, where a FIFO may lie in wait for it. The index keeps its
 * time, as a look at the tree is still to come.
 */
export async function changeIndex(
  { gitDir, index }: { gitDir: string; index: string },
  { args, stdin }: Pick<EngineCall, 'args' | 'stdin'>,
): Promise<void> {
  const workTree = `${index}.empty`;
  mkdirSync(workTree, { recursive: true });
  const { atime, mtime } = statSync(index);
  await engineGit({ gitDir, index, workTree, args, ...(stdin === undefined ? {} : { stdin }) });
  utimesSync(index, atime, mtime);
}

/** A new empty folder for one operation's files. */
export function scratchFolder(paths: RunPaths): string {
  const folder = join(paths.scratch, randomBytes(6).toString('hex'));
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return folder;
}
