import { lstat } from 'node:fs/promises';
import { errnoOf } from './errno.ts';

/** What stands at a path, without following a symbolic link there. */
export async function fileKind(path: string): Promise<'missing' | 'folder' | 'file' | 'other'> {
  try {
    const stat = await lstat(path);
    if (stat.isDirectory()) return 'folder';
    return stat.isFile() ? 'file' : 'other';
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(errnoOf(error))) return 'missing';
    throw error;
  }
}
