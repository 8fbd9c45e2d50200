import { configuredHooks } from '../git/configured-hooks.ts';
import { isOid } from './engine-repository.ts';
import { git, GitError, type Identity } from '../git/git.ts';
import { pastStaleLocks } from '../git/stale-lock.ts';

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

export async function readUserRefs(gitDir: string, names: readonly [string, string]): Promise<[UserRef, UserRef]> {
  const format = '%(refname)%00%(objectname)%00%(worktreepath)';
  const { stdout } = await git({ gitDir, args: ['for-each-ref', `--format=${format}`, ...names] });
  const lines = stdout.toString('utf8').split('\n');
  const find = (name: string): UserRef => {
    const [, oid = '', worktree = ''] = lines.find((line) => line.startsWith(`${name}\0`))?.split('\0') ?? [];
    return { name, at: isOid(oid) ? oid : NOWHERE, checkedOutIn: worktree === '' ? null : worktree };
  };
  return [find(names[0]), find(names[1])];
}

/** Move a ref from where it was read to be. Null: done, or there already. Else the first line of why git refused. */
export async function moveUserRef(move: {
  gitDir: string;
  identity: Identity;
  ref: UserRef;
  commit: string;
}): Promise<string | null> {
  const { gitDir, identity, ref, commit } = move;
  if (ref.at === commit) return null;
  try {
    const args = ['update-ref', '--no-deref', '-m', 'ralph: checkpoint', ref.name, commit, ref.at];
    const hooksOff = await configuredHooks(gitDir);
    await pastStaleLocks(
      (lock) => lock.endsWith(`/${ref.name}.lock`),
      () => git({ gitDir, identity, hooksOff, args }),
    );
    return null;
  } catch (error) {
    if (error instanceof GitError) return error.stderr.trim().split('\n')[0] ?? '';
    throw error;
  }
}

/** Remove a ref if it is still where it was read to be. Refused, it stays: the next checkpoint tries again. */
export async function dropUserRef(gitDir: string, ref: UserRef): Promise<void> {
  if (ref.at === NOWHERE) return;
  const hooksOff = await configuredHooks(gitDir);
  await git({ gitDir, hooksOff, args: ['update-ref', '--no-deref', '-d', ref.name, ref.at], okCodes: [1, 128] });
}
