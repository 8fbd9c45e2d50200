import { chmod, lstat, readdir, rm, rmdir, unlink } from 'node:fs/promises';
import { sep } from 'node:path';
import { errorCode } from '../../system/error-code.ts';

/**
 * Remove a file or a folder, also one whose folders an agent locked (mode 000) or whose names are no UTF-8. Follows no
 * symbolic link.
 */
export async function removeTree(target: string): Promise<void> {
  try {
    await rm(target, { recursive: true, force: true });
  } catch (error) {
    if (!['EACCES', 'EPERM', 'ENOTEMPTY', 'ENOENT'].includes(errorCode(error))) throw error;
    await walkFolders(Buffer.from(target), async (folder, others) => {
      for (const other of others) await unlink(other);
      return () => rmdir(folder);
    });
  }
}

/** Give the owner all rights on every folder at and below `target`. */
export async function unlockFolders(target: string): Promise<void> {
  await walkFolders(Buffer.from(target), () => Promise.resolve(() => Promise.resolve()));
}

type Leave = () => Promise<void>;

/**
 * Unlock a folder, visit it with what it holds beside folders, go into those, then leave it. Names are bytes: what is
 * no UTF-8 would be mangled.
 */
export async function walkFolders(
  folder: Buffer,
  visit: (folder: Buffer, others: Buffer[]) => Promise<Leave>,
): Promise<void> {
  const stat = await lstat(folder);
  if (!stat.isDirectory()) return;
  if ((stat.mode & 0o700) !== 0o700) await chmod(folder, stat.mode | 0o700);
  const entries = await readdir(folder, { withFileTypes: true, encoding: 'buffer' });
  const at = (name: Buffer): Buffer => Buffer.concat([folder, Buffer.from(sep), name]);
  const others = entries.filter((entry) => !entry.isDirectory());
  const leave = await visit(
    folder,
    others.map((entry) => at(entry.name)),
  );
  for (const entry of entries) if (entry.isDirectory()) await walkFolders(at(entry.name), visit);
  await leave();
}
