import { lstat, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { ralphError } from '../../schemas/errors/index.ts';
import { GitError, type Owner } from '../git/git.ts';
import { readGit } from '../git/read-git.ts';
import type { FoundRepository } from './find-repository.ts';

const ROOT = 0;

/**
 * Reject a repository that belongs to another user, by git's own rule: the working tree, its `.git` and the repository
 * must be this user's, or `safe.directory` must allow the folder. Throws RalphError `repository-not-yours`.
 */
export async function rejectForeign(found: FoundRepository): Promise<void> {
  const me = process.geteuid?.();
  if (me === undefined) return;
  const parts = [join(found.top, '.git'), found.top, found.gitDir];
  for (const path of parts) {
    const { uid } = await lstat(path);
    if (uid === me || (me === ROOT && String(uid) === process.env['SUDO_UID'])) continue;
    if (await isAllowed(found)) return;
    throw ralphError('repository-not-yours', { path, owner: uid, me, top: found.top });
  }
}

/** The user to run git as in a repository: root runs it as the owner. Null: as this user. */
export async function ownerOf(commonDir: string): Promise<Owner | null> {
  if (process.geteuid?.() !== ROOT) return null;
  const { uid, gid } = await lstat(commonDir);
  return uid === ROOT ? null : { uid, gid };
}

/** Whether `safe.directory` allows the folder. git looks for it in the system's and the user's configuration alone. */
async function isAllowed({ top, gitDir }: FoundRepository): Promise<boolean> {
  let allowed = false;
  for (const value of await safeDirectories(gitDir)) {
    // An empty value takes back what was allowed before.
    if (value === '') allowed = false;
    else if (value === '*') allowed = true;
    else if (value.endsWith('/*')) allowed ||= `${top}/`.startsWith(`${await real(value.slice(0, -2))}/`);
    else allowed ||= [top, join(top, '.git'), gitDir].includes(await real(value));
  }
  return allowed;
}

async function safeDirectories(gitDir: string): Promise<string[]> {
  const args = ['config', '--null', '--show-scope', '--type=path', '--get-all', 'safe.directory'];
  const words = await readGit({ gitDir, args, noMatchCode: 1, configuration: 'user' }).catch((error: unknown) => {
    if (error instanceof GitError) return '';
    throw error;
  });
  // A scope, then a value.
  const tokens = words.split('\0').slice(0, -1);
  return tokens.filter((_, at) => at % 2 === 1 && ['system', 'global'].includes(tokens[at - 1] ?? ''));
}

const real = (path: string): Promise<string> => realpath(path).catch(() => path);
