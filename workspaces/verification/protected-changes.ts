import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { scratchFolder } from '../repository/engine-repository.ts';
import { engineGit } from '../git/git.ts';
import { isCaseFolded, protectedPathspecs } from '../git/protected-pathspecs.ts';
import { removeTree } from '../files/remove-tree.ts';
import { reshapedPaths } from '../git/reshaped-paths.ts';
import type { RunPaths } from '../records/run-paths.ts';

/** A name is at most as long as a path can be. */
const MAX_PATH_BYTES = 4_096;

/**
 * Paths that differ between two commits of a run and match one of git's globs (`tests/**`, `*.json`), relative to the
 * repository's top; a renamed file counts with both names, a changed mode as a change, and so do attributes that give a file
 * other bytes in a checkout. The first `most` of them, however many there are.
 */
export async function protectedChanges(asked: {
  paths: RunPaths;
  from: string;
  to: string;
  globs: readonly string[];
  most: number;
}): Promise<string[]> {
  const { paths, from, to, globs, most } = asked;
  if (globs.length === 0) return [];
  const scratch = scratchFolder(paths);
  try {
    const stdoutFile = join(scratch, 'changed');
    const shape = ['-r', '-z', '--name-only', '--no-renames', '--no-ext-diff', '--ignore-submodules=none'];
    const gitDir = paths.repository;
    const pathspecs = protectedPathspecs(globs, { foldsCase: isCaseFolded(gitDir) });
    const args = ['diff-tree', ...shape, '--end-of-options', from, to, '--', ...pathspecs];
    await engineGit({ gitDir, args, stdoutFile });
    const names = (await firstNames(stdoutFile, most)).map((name) => name.toString('utf8'));
    const reshaped = await reshapedPaths({ gitDir, from, to, pathspecs, scratch });
    const byAttributes = reshaped.filter((name) => !names.includes(name)).map((name) => `${name} (by .gitattributes)`);
    return [...names, ...byAttributes].slice(0, most);
  } finally {
    await removeTree(scratch);
  }
}

/** An agent may have changed millions of files: only the beginning of the list is read. */
async function firstNames(file: string, most: number): Promise<Buffer[]> {
  const handle = await open(file);
  try {
    const { size } = await handle.stat();
    const whole = Buffer.alloc(Math.min(size, most * MAX_PATH_BYTES));
    const { bytesRead } = await handle.read(whole, 0, whole.length, 0);
    const names: Buffer[] = [];
    let from = 0;
    while (names.length < most) {
      const end = whole.indexOf(0, from);
      if (end === -1 || end >= bytesRead) break;
      names.push(whole.subarray(from, end));
      from = end + 1;
    }
    return names;
  } finally {
    await handle.close();
  }
}
