import { chmod, lstat, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { errnoOf } from './errno.ts';

/** Remove a file or a folder, also one whose folders an agent locked (mode 000). Follows no symbolic link. */
export async function removeTree(target: string): Promise<void> {
  try {
    await rm(target, { recursive: true, force: true });
  } catch (error) {
    if (!['EACCES', 'EPERM', 'ENOTEMPTY'].includes(errnoOf(error))) throw error;
    await unlockFolders(target);
    await rm(target, { recursive: true, force: true });
  }
}

/** Give the owner all rights on every folder at and below `target`. */
export async function unlockFolders(target: string): Promise<void> {
  if (!(await lstat(target)).isDirectory()) return;
  await chmod(target, 0o700);
  for (const entry of await readdir(target, { withFileTypes: true })) {
    if (entry.isDirectory()) await unlockFolders(join(target, entry.name));
  }
}
