import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { RunRequest } from '../../schemas/run/run.ts';
import { errorCode } from '../../system/error-code.ts';
import { copyIndex, engineIndex, lastCheckpoint, scratchFolder } from '../repository/engine-repository.ts';
import { ensureFolder } from '../files/ensure-folder.ts';
import { discardQuarantine, quarantineGitDir } from './quarantine.ts';
import { clearPlace, removeTree } from '../files/remove-tree.ts';
import type { RunPaths } from '../records/run-paths.ts';
import { restoreTree } from './tree-state.ts';
import { makeThrowawayGit } from './throwaway-git.ts';

/** Give the tree a new `.git` at the last checkpoint, in place of whatever is there. */
export async function renewGitDir(paths: RunPaths, request: RunRequest): Promise<{ base: string }> {
  await clearPlace(paths.scratch);
  await dropGitDir(paths);
  const base = await lastCheckpoint(paths);
  const scratch = scratchFolder(paths);
  const draft = join(scratch, 'git');
  await makeThrowawayGit({ paths, request, folder: draft, commit: base });
  await restoreTree(paths, { base, scratch });
  copyIndex(engineIndex(paths), join(draft, 'index'));
  await ensureFolder(paths.tree);
  await rename(draft, join(paths.tree, '.git'));
  await removeTree(scratch);
  await moveIfAny(paths.modules, join(paths.tree, '.git', 'modules'));
  return { base };
}

/** Take `tree/.git` away, with all that was done in it; populated submodules are kept for the next. */
export async function dropGitDir(paths: RunPaths): Promise<void> {
  await quarantineGitDir(paths);
  await discardQuarantine(paths);
}

async function moveIfAny(from: string, to: string): Promise<void> {
  await rename(from, to).catch((error: unknown) => {
    if (errorCode(error) !== 'ENOENT') throw error;
  });
}
