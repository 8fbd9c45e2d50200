import { rm } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { fileKind } from '../files/file-kind.ts';
import type { RunPaths } from '../records/run-paths.ts';
import { engineGit, GitError, type Identity } from './git.ts';

/** One ref's move; `from` null: whatever it is at now. */
interface RefMove {
  readonly name: string;
  readonly to: string;
  readonly from: string | null;
}

/** Move refs of the engine's own repository, all or none; the checkpoint's ref is `moveCheckpoint`'s. Throws GitError where a ref is not at `from`. */
export async function updateRefs(asked: {
  paths: RunPaths;
  identity: Identity;
  moves: readonly RefMove[];
}): Promise<void> {
  const { paths, identity, moves } = asked;
  const text = moves.map(({ name, to, from }) => `update ${name}\0${to}\0${from ?? ''}\0`).join('');
  const call = { gitDir: paths.repository, identity, args: ['update-ref', '-z', '--stdin'], stdin: { text } };
  await pastStaleLocks(
    (lock) => lock.startsWith(paths.repository),
    () => engineGit(call),
  );
}

const LOCKED = /Unable to create '(.+\.lock)': File exists/;
/** A living git holds a lock for milliseconds. */
const LOCK_MS = 2000;
const POLL_MS = 50;
const MOST_LOCKS = 10;

/**
 * Run a git command that moves refs. A lock that stays was left by a git that was killed, and is removed where `isOurs`
 * says that nobody but the engine moves what it locks.
 */
export async function pastStaleLocks<T>(isOurs: (lock: string) => boolean, command: () => Promise<T>): Promise<T> {
  for (let locks = 0; ; locks += 1) {
    try {
      return await command();
    } catch (error) {
      const lock = error instanceof GitError ? LOCKED.exec(error.stderr)?.[1] : undefined;
      if (lock === undefined || !isOurs(lock) || locks === MOST_LOCKS) throw error;
      await removeStaleLock(lock);
    }
  }
}

/** Wait for a lock to go; one that stays was left by a git that was killed, and is removed. */
export async function removeStaleLock(lock: string): Promise<void> {
  for (let waited = 0; waited < LOCK_MS; waited += POLL_MS) {
    if (fileKind(lock) === 'missing') return;
    await delay(POLL_MS);
  }
  await rm(lock, { force: true });
}
