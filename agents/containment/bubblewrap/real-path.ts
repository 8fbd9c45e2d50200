import { lstatSync, realpathSync } from 'node:fs';
import path from 'node:path';

/** Without symbolic links; the path itself where it does not exist. */
export function real(place: string): string {
  try {
    return realpathSync(place);
  } catch {
    return path.resolve(place);
  }
}

export function isFolder(place: string): boolean {
  try {
    return lstatSync(place).isDirectory();
  } catch {
    // Not there: there is nothing to hide.
    return false;
  }
}
