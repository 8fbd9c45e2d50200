import { mkdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { ralphError } from '../../schemas/errors/index.ts';
import { namingFullDisk } from '../../system/disk-full.ts';
import { scratchFolder } from '../repository/engine-repository.ts';
import { checkOut } from '../git/check-out.ts';
import { readRequest } from '../records/runs.ts';
import { clearPlace, removeTree } from '../files/remove-tree.ts';
import type { RunPaths } from '../records/run-paths.ts';
import { makeThrowawayGit } from '../round/throwaway-git.ts';

/**
 * Check a commit of the run out into `check/`, with a throwaway `.git` as a round has one and package caches of its own,
 * both empty: nothing ignored, nothing of an earlier checkout. Only when nothing runs in an earlier one any more. Safe to
 * call again after a kill. Throws RalphError (`workspace-missing`, `unreadable-repository`, `disk-full`).
 * @param head the commit that the checkout's branch is at. Gates get `commit`. A reviewer gets the run's start, so that
 *   the work is an uncommitted change and no message of an agent's commit is in the checkout
 */
export async function checkOutClean({
  paths,
  commit,
  head,
}: {
  paths: RunPaths;
  commit: string;
  head: string;
}): Promise<void> {
  const request = await readRequest(paths);
  if (request === null) throw ralphError('workspace-missing', { path: paths.root });
  await removeCheckout(paths);
  await namingFullDisk(paths.root, async () => {
    const scratch = scratchFolder(paths);
    const [index, dotGit] = [join(scratch, 'index'), join(scratch, 'git')];
    await Promise.all([paths.check, paths.checkCache].map((folder) => mkdir(folder, { mode: 0o700 })));
    await checkOut({ gitDir: paths.repository, workTree: paths.check, index, commit, root: paths.root });
    // Its repository comes last: git never looks at a tree that has one.
    await makeThrowawayGit({ paths, request, folder: dotGit, commit: head });
    await rename(index, join(dotGit, 'index'));
    await rename(dotGit, join(paths.check, '.git'));
    await removeTree(scratch);
  });
}

/** Take the checkout away, with whatever was built in it. What cannot be removed is moved aside. */
export async function removeCheckout(paths: RunPaths): Promise<void> {
  await Promise.all([paths.check, paths.checkCache].map((folder) => clearPlace(folder)));
}
