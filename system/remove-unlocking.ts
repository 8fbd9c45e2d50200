import { randomBytes } from 'node:crypto';
import { lstatSync, opendirSync, rmdirSync, unlinkSync } from 'node:fs';
import { chmod, lstat, readdir, rename, rmdir, unlink } from 'node:fs/promises';
import { join, sep } from 'node:path';

/**
 * Remove a file or a folder, also one whose folders an agent locked (mode 000), whose names are not UTF-8 or whose
 * paths are too long for the system. Follows no symbolic link.
 */
export async function removeUnlocking(target: string): Promise<void> {
  // Not by Node's own `rm`: if that fails, parts of it go on, also in whatever is made in the same place next.
  if (!isRemovedAtOnce(target)) await removeAll(target);
}

/** What is larger is removed by threads, so that nothing else waits for it. */
const SMALL = { entries: 500, fileBytes: 16 * 1024 * 1024 } as const;

/** Most of what a round leaves is small: waiting for threads would take longer. False: something of it is still there. */
function isRemovedAtOnce(target: string): boolean {
  let left: number = SMALL.entries;
  const remove = (path: string): boolean => {
    left -= 1;
    const stat = lstatSync(path, { throwIfNoEntry: false });
    if (stat === undefined) return true;
    if (left < 0 || (stat.isFile() && stat.size > SMALL.fileBytes)) return false;
    if (!stat.isDirectory()) {
      unlinkSync(path);
      return true;
    }
    const folder = opendirSync(path);
    try {
      for (let entry = folder.readSync(); entry !== null; entry = folder.readSync())
        if (!remove(join(path, entry.name))) return false;
    } finally {
      folder.closeSync();
    }
    rmdirSync(path);
    return true;
  };
  try {
    return remove(target);
  } catch {
    // A locked folder, an odd name: whoever comes next says what it is.
    return false;
  }
}

async function removeAll(target: string): Promise<void> {
  const root = Buffer.from(target);
  const stat = await lstat(root).catch(() => null);
  if (stat === null) return;
  if (!stat.isDirectory()) {
    await unlink(root);
    return;
  }
  await walkFolders(
    root,
    async (folder, others) => {
      for (let at = 0; at < others.length; at += AT_ONCE) {
        // Wait for all of them to end before a failure is reported.
        const ends = await Promise.allSettled(others.slice(at, at + AT_ONCE).map((other) => unlink(other)));
        for (const end of ends) if (end.status === 'rejected') throw end.reason;
      }
      return () => rmdir(folder);
    },
    {
      // Nearer to the top it is within reach again, and the walk comes to it after the others.
      tooDeep: (folder) =>
        rename(folder, Buffer.concat([root, Buffer.from(`${sep}deep-${randomBytes(6).toString('hex')}`)])),
    },
  );
}

/** Give the owner all rights on every folder at and below `target` that the system can reach. */
export async function unlockFolders(target: string): Promise<void> {
  await walkFolders(Buffer.from(target), () => Promise.resolve(() => Promise.resolve()), { tooDeep: null });
}

const AT_ONCE = 64;

type Leave = () => Promise<void>;

/** Longer paths are not entered: the system's limit is 4096 bytes, and a name may have 255 of them. */
const MAX_PATH_BYTES = 3_500;

/**
 * Unlock a folder, visit it with what it holds beside folders, go into those, then leave it. Names are bytes: one that
 * is not UTF-8 would be mangled. A folder whose path is too long is handed to `tooDeep`, which may move it to the top:
 * it is visited there. Null: such folders are passed over.
 */
export async function walkFolders(
  folder: Buffer,
  visit: (folder: Buffer, others: Buffer[]) => Promise<Leave>,
  { tooDeep }: { tooDeep: ((folder: Buffer) => Promise<void>) | null },
): Promise<void> {
  const walk = async (at: Buffer, isTop: boolean): Promise<void> => {
    const stat = await lstat(at);
    if (!stat.isDirectory()) return;
    if ((stat.mode & 0o700) !== 0o700) await chmod(at, stat.mode | 0o700);
    if (at.length > MAX_PATH_BYTES) {
      await tooDeep?.(at);
      return;
    }
    const below = (name: Buffer): Buffer => Buffer.concat([at, Buffer.from(sep), name]);
    let leave: Leave | null = null;
    // Meanwhile, folders that were too deep appear at the top.
    for (const done = new Set<string>(); ;) {
      const entries = await readdir(at, { withFileTypes: true, encoding: 'buffer' });
      const folders = entries.filter((entry) => entry.isDirectory() && !done.has(entry.name.toString('latin1')));
      leave ??= await visit(
        at,
        entries.filter((entry) => !entry.isDirectory()).map((entry) => below(entry.name)),
      );
      for (const { name } of folders) {
        done.add(name.toString('latin1'));
        await walk(below(name), false);
      }
      if (!isTop || tooDeep === null || folders.length === 0) break;
    }
    await leave();
  };
  await walk(folder, true);
}
