import { join } from 'node:path';
import { readTextIfAny } from '../../system/read-text.ts';
import { git, GitError } from './git.ts';

/**
 * The names of the hooks that a repository's configuration defines, which git runs from 2.54 on: `core.hooksPath` turns
 * off those in files alone. They are to be turned off one by one. Throws GitError where a name is not one that can be.
 */
export async function configuredHooks(gitDir: string): Promise<string[]> {
  const files = await Promise.all(['config', 'config.worktree'].map((name) => readTextIfAny(join(gitDir, name))));
  // Neither section, no hook: most repositories cost no process.
  if (!files.some((text) => text !== null && /\[(hook|include)/i.test(text))) return [];
  const args = ['config', '--null', '--name-only', '--get-regexp', String.raw`^hook\.`];
  const { stdout } = await git({ gitDir, args, okCodes: [1] });
  const keys = stdout.toString('utf8').split('\0').slice(0, -1);
  const names = new Set(keys.flatMap((key) => /^hook\.([^]*)\.[^.]*$/.exec(key)?.[1] ?? []));
  const odd = [...names].find((name) => name.includes('\uFFFD'));
  if (odd !== undefined) throw new GitError('config', 0, `the hook "${odd}" has a name that is not UTF-8`);
  return [...names];
}
