import { lstat, mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { checkOut } from '../git/check-out.ts';
import { readDraft } from '../records/json-file.ts';
import { Lease } from '../records/lease.ts';
import type { RunPaths } from '../records/run-paths.ts';
import { engineIndex } from '../repository/engine-repository.ts';
import { isOfRun } from './throwaway-git.ts';

/** Which folder the tree is; null: there is none, or something else stands there. */
export async function treeId({ tree }: RunPaths): Promise<string | null> {
  const stat = await lstat(tree).catch(() => null);
  return stat?.isDirectory() === true ? `${stat.dev}:${stat.ino}` : null;
}

/**
 * Whether the tree is still the folder that the last attempt was given. An agent that nothing holds in a sandbox can
 * remove it, or put something else in its place.
 */
export async function treeState(paths: RunPaths): Promise<'kept' | 'gone' | 'replaced'> {
  const now = await treeId(paths);
  if (now === null) return 'gone';
  const lease = await readDraft(paths.lease, Lease);
  if (lease === null || lease.tree === null || lease.tree === now) return 'kept';
  // A copy of the whole run, such as a restored backup, has the attempt's repository; an agent's new folder does not.
  const repositories = [join(paths.tree, '.git'), paths.quarantine];
  const known = repositories.map((folder) => isOfRun(folder, paths));
  return known.includes(true) ? 'kept' : 'replaced';
}

/** Check the last checkpoint out again if the tree is gone. Safe to be killed in: a tree that is there is whole. */
export async function restoreTree(
  paths: RunPaths,
  { base, scratch }: { base: string; scratch: string },
): Promise<void> {
  if ((await treeId(paths)) !== null) return;
  const [workTree, index] = [join(scratch, 'tree'), join(scratch, 'tree-index')];
  await mkdir(workTree, { mode: 0o700 });
  await checkOut({ gitDir: paths.repository, workTree, index, commit: base, root: paths.root });
  // A link, a file or nothing.
  await rm(paths.tree, { force: true });
  await rename(workTree, paths.tree);
  await rename(index, engineIndex(paths));
}
