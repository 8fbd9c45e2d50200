import { accessSync, constants, statSync } from 'node:fs';
import path from 'node:path';
import { containerFailed } from './container-failed.ts';
import type { Mechanism } from '../../schemas/receipt.ts';

/** Where a program stands on a PATH, as `command -v` would say; null where it does not. */
export function findOnPath(name: string, searchPath: string | undefined): string | null {
  for (const folder of (searchPath ?? '').split(path.delimiter)) {
    if (!path.isAbsolute(folder)) continue;
    const file = path.join(folder, name);
    if (isExecutable(file)) return file;
  }
  return null;
}

/** Where a mechanism's own program stands on the worker's PATH. */
export function programOrFail(name: string, mechanism: Mechanism): string {
  const file = findOnPath(name, process.env.PATH);
  if (file === null) throw containerFailed(mechanism, `there is no ${name} on PATH`);
  return file;
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    // Not there, or not ours to run: for a search both mean "look further".
    return false;
  }
}
