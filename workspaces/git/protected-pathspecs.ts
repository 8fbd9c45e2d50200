import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** A glob of all below a folder. git asks it of a submodule's own path, which is not below itself. */
const ALL_BELOW = /^(.+?)(?:\/\*\*)+(?:\/\*)?$/;

/**
 * git's pathspecs of a run's protected globs. @param foldsCase whether `Tests/a` and `tests/a` are one file here, so that
 * either can stand for the other in a checkout
 */
export function protectedPathspecs(globs: readonly string[], { foldsCase }: { foldsCase: boolean }): string[] {
  const magic = foldsCase ? ':(top,glob,icase)' : ':(top,glob)';
  return globs
    .map((glob) => fromTheTop(glob))
    .flatMap((glob) => [glob, ...(ALL_BELOW.exec(glob)?.slice(1) ?? [])])
    .map((glob) => `${magic}${glob}`);
}

/** git matches `./tests` and `/tests` with nothing, and says nothing: what is meant is clear. */
const fromTheTop = (glob: string): string => glob.replaceAll(/\/{2,}/g, '/').replace(/^(?:\.?\/)+/, '');

/** Whether the file system of a folder that is there takes names of either case for one. */
export function isCaseFolded(folder: string): boolean {
  const name = basename(folder);
  const other = name === name.toUpperCase() ? name.toLowerCase() : name.toUpperCase();
  return other !== name && existsSync(join(dirname(folder), other));
}
