import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { errorCode } from '../../system/error-code.ts';
import { readTextIfAny } from '../../system/read-text.ts';
import { GitError, userGit, type Identity, type UserRepository } from '../git/git.ts';
import { pastStaleLocks } from '../git/update-refs.ts';
import { isOid } from '../repository/engine-repository.ts';

/** What git calls the place of a ref that does not exist. */
export const NOWHERE = '0'.repeat(40);

/** A ref of a run in the user's repository. */
export interface UserRef {
  readonly name: string;
  /** A commit, or NOWHERE. */
  readonly at: string;
  /** The working tree that has it checked out, or null. */
  readonly checkedOutIn: string | null;
}

/** Read two refs, from git's files if they are plain ones, else by git. */
export async function readUserRefs(
  repository: UserRepository,
  names: readonly [string, string],
): Promise<[UserRef, UserRef]> {
  return refsInFiles(repository.gitDir, names) ?? (await refsByGit(repository, names));
}

/** Null if the repository keeps its refs in another way, or one of these is not a commit's id. */
function refsInFiles(gitDir: string, names: readonly [string, string]): [UserRef, UserRef] | null {
  if (/refstorage/i.test(textOf(gitDir, 'config'))) return null;
  const packed = textOf(gitDir, 'packed-refs').split('\n');
  const heads = headsOf(gitDir);
  const read = (name: string): UserRef | null => {
    const loose = textOf(gitDir, name).trim();
    const at = loose === '' ? (packed.find((line) => line.slice(41) === name)?.slice(0, 40) ?? NOWHERE) : loose;
    if (!isOid(at)) return null;
    return { name, at, checkedOutIn: heads.find(({ head }) => head === `ref: ${name}`)?.folder ?? null };
  };
  const [first, second] = [read(names[0]), read(names[1])];
  return first === null || second === null ? null : [first, second];
}

/** What each working tree of the repository has checked out. */
function headsOf(gitDir: string): { folder: string; head: string }[] {
  const own = { folder: basename(gitDir) === '.git' ? dirname(gitDir) : gitDir, head: textOf(gitDir, 'HEAD') };
  const linked = linkedTrees(gitDir);
  const others = linked.map((name) => {
    const folder = join(gitDir, 'worktrees', name);
    const dotGit = textOf(folder, 'gitdir').trim();
    return { folder: dirname(resolve(folder, dotGit)), head: textOf(folder, 'HEAD') };
  });
  return [own, ...others].map(({ folder, head }) => ({ folder, head: head.trim() }));
}

/** Names of the working trees beside the repository's own. */
function linkedTrees(gitDir: string): string[] {
  try {
    return readdirSync(join(gitDir, 'worktrees'));
  } catch {
    return [];
  }
}

/** Empty if there is no such file. */
function textOf(folder: string, name: string): string {
  try {
    return readFileSync(join(folder, name), 'utf8');
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'EISDIR'].includes(errorCode(error))) return '';
    throw error;
  }
}

async function refsByGit(repository: UserRepository, names: readonly [string, string]): Promise<[UserRef, UserRef]> {
  const format = '%(refname)%00%(objectname)%00%(worktreepath)';
  const { stdout } = await userGit(repository, { args: ['for-each-ref', `--format=${format}`, ...names] });
  const lines = stdout.toString('utf8').split('\n');
  const find = (name: string): UserRef => {
    const [, oid = '', worktree = ''] = lines.find((line) => line.startsWith(`${name}\0`))?.split('\0') ?? [];
    return { name, at: isOid(oid) ? oid : NOWHERE, checkedOutIn: worktree === '' ? null : worktree };
  };
  return [find(names[0]), find(names[1])];
}

/** Move a ref if it is still where it was read. Null: it is there now. Else the first line of git's reason. */
export async function moveUserRef(move: {
  repository: UserRepository;
  identity: Identity;
  ref: UserRef;
  commit: string;
}): Promise<string | null> {
  const { repository, identity, ref, commit } = move;
  if (ref.at === commit) return null;
  try {
    const args = ['update-ref', '--no-deref', '-m', 'ralph: checkpoint', ref.name, commit, ref.at];
    const hooksOff = await configuredHooks(repository);
    await pastStaleLocks(
      (lock) => lock.endsWith(`/${ref.name}.lock`),
      () => userGit(repository, { identity, hooksOff, args }),
    );
    return null;
  } catch (error) {
    if (error instanceof GitError) return error.stderr.trim().split('\n')[0] ?? '';
    throw error;
  }
}

/** Remove a ref if it is still where it was read. If git refuses, it stays, and the next checkpoint tries again. */
export async function dropUserRef(repository: UserRepository, ref: UserRef): Promise<void> {
  if (ref.at === NOWHERE) return;
  const hooksOff = await configuredHooks(repository);
  await userGit(repository, {
    hooksOff,
    args: ['update-ref', '--no-deref', '-d', ref.name, ref.at],
    okCodes: [1, 128],
  });
}

/**
 * The names of the hooks that a repository's configuration defines, which git runs from 2.54 on: `core.hooksPath` turns
 * off those in files alone. Each must be turned off by its name. Throws GitError for a name that git cannot be given.
 */
async function configuredHooks(repository: UserRepository): Promise<string[]> {
  const files = ['config', 'config.worktree'].map((name) => readTextIfAny(join(repository.gitDir, name)));
  // Without either section there is no hook: most repositories need no process.
  if (!files.some((text) => text !== null && /\[(hook|include)/i.test(text))) return [];
  const args = ['config', '--null', '--name-only', '--get-regexp', String.raw`^hook\.`];
  const { stdout } = await userGit(repository, { args, okCodes: [1] });
  const keys = stdout.toString('utf8').split('\0').slice(0, -1);
  const names = new Set(keys.flatMap((key) => /^hook\.([^]*)\.[^.]*$/.exec(key)?.[1] ?? []));
  const odd = [...names].find((name) => name.includes('\uFFFD'));
  if (odd !== undefined) throw new GitError('config', 0, `the hook "${odd}" has a name that is not UTF-8`);
  return [...names];
}
