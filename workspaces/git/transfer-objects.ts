import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { engineGit, userGit, type UserRepository } from './git.ts';

/** Packs with fewer objects become loose ones, as `git fetch` does it. */
const UNPACK_BELOW = 100;

/**
 * Bring commits and all that they need into another repository, without either one's git looking at the other's
 * configuration. Every object is hashed anew on arrival; throws GitError if one is broken.
 */
export async function transferObjects(transfer: {
  from: { gitDir: string; alsoObjects?: string };
  to: { engine: string } | { user: UserRepository };
  commits: readonly string[];
  /** What `to` is known to have, with all that belongs to it. */
  known: readonly string[];
  /** Whether git's own checks (fsck) decide as well. Objects of the user's may fail them, and agents' may not. */
  strict: boolean;
  scratch: string;
  timeoutMs: number;
}): Promise<void> {
  const { from, to, commits, known, strict, scratch, timeoutMs } = transfer;
  const pack = join(scratch, 'transfer.pack');
  await engineGit({
    ...from,
    args: ['pack-objects', '--revs', '--stdout', '-q', '--delta-base-offset'],
    stdin: { text: [...commits, ...known.map((oid) => `^${oid}`), ''].join('\n') },
    stdoutFile: pack,
    timeoutMs,
  });
  const count = await objectsIn(pack);
  if (count === 0) return;
  const args = count < UNPACK_BELOW ? ['unpack-objects', '-q'] : ['index-pack', '--stdin'];
  const receive = { args: [...args, ...(strict ? ['--strict'] : [])], stdin: { file: pack }, timeoutMs };
  await ('user' in to ? userGit(to.user, receive) : engineGit({ gitDir: to.engine, ...receive }));
}

/** A pack starts with "PACK", its version and the number of its objects, four bytes each. */
async function objectsIn(pack: string): Promise<number> {
  const handle = await open(pack, 'r');
  try {
    const header = Buffer.alloc(12);
    await handle.read(header, 0, 12, 0);
    return header.readUInt32BE(8);
  } finally {
    await handle.close();
  }
}
