import { rm } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { fileKind } from '../files/file-kind.ts';
import { GitError } from './git.ts';

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
      await removeStale(lock);
    }
  }
}

async function removeStale(lock: string): Promise<void> {
  for (let waited = 0; waited < LOCK_MS; waited += POLL_MS) {
    if ((await fileKind(lock)) === 'missing') return;
    await delay(POLL_MS);
  }
  await rm(lock, { force: true });
}
