import { lstatSync } from 'node:fs';
import { errorCode } from '../../system/error-code.ts';

/** What stands at a path, without following a symbolic link there. */
export function fileKind(path: string): 'missing' | 'folder' | 'file' | 'other' {
  try {
    const stat = lstatSync(path);
    if (stat.isDirectory()) return 'folder';
    return stat.isFile() ? 'file' : 'other';
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(errorCode(error))) return 'missing';
    throw error;
  }
}
