import { accessSync, constants, statSync } from 'node:fs';
import path from 'node:path';

/** Where a program stands on a PATH, as `command -v` would say; null where it does not. */
export function findOnPath(name: string, searchPath: string | undefined): string | null {
  return allOnPath(name, searchPath)[0] ?? null;
}

/** Everywhere that it stands, the first one first. Folders that are not named from the root do not count. */
export function allOnPath(name: string, searchPath: string | undefined): string[] {
  return (searchPath ?? '')
    .split(path.delimiter)
    .filter((folder) => path.isAbsolute(folder))
    .map((folder) => path.join(folder, name))
    .filter(isExecutable);
}

export function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    // Not there, or not to be run by this user: for a search both mean "look further".
    return false;
  }
}
