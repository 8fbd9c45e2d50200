import { chmod, readdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from '../../system/error-code.ts';
import { clearImmutable } from '../files/clear-immutable.ts';
import { ensureFolder } from '../files/ensure-folder.ts';
import { fileKind } from '../files/file-kind.ts';
import { clearPlace, removeTree } from '../files/remove-tree.ts';
import { unlockFolders } from '../../system/remove-unlocking.ts';
import type { RunPaths } from '../records/run-paths.ts';

/** What an agent left at `tree/.git`. */
export type LeftGitDir = 'folder' | 'missing' | 'replaced' | 'stuck';

/**
 * Move `tree/.git` out of the tree, to where no agent can reach it, so that the tree has no repository while git looks at
 * it. No git ever uses the moved folder as a repository. Called again after a kill, it finds what was moved before.
 */
export async function quarantineGitDir(paths: RunPaths): Promise<LeftGitDir> {
  if (fileKind(paths.quarantine) === 'folder') return 'folder';
  const dotGit = join(paths.tree, '.git');
  const isThere = fileKind(paths.tree) === 'folder';
  if (isThere) await ensureFolder(paths.tree);
  const kind = isThere ? fileKind(dotGit) : 'missing';
  switch (kind) {
    case 'missing':
      return 'missing';
    case 'file':
    case 'other':
      await removeTree(dotGit);
      return 'replaced';
    case 'folder':
      return (await movedAway(paths, dotGit)) ? 'folder' : 'stuck';
    default:
      return kind satisfies never;
  }
}

/** False if the system does not allow the move to anybody. */
async function movedAway(paths: RunPaths, dotGit: string): Promise<boolean> {
  const move = async (): Promise<void> => {
    // Moving a folder to another parent needs the right to write it.
    await chmod(dotGit, 0o700);
    await rename(dotGit, paths.quarantine);
  };
  try {
    await move();
    return true;
  } catch (error) {
    if (errorCode(error) !== 'EPERM') throw error;
  }
  if (!(await clearImmutable(paths.tree))) return false;
  return move().then(
    () => true,
    () => false,
  );
}

/** Remove the quarantine, but keep the repositories of populated submodules for the next round's agent. */
export async function discardQuarantine(paths: RunPaths): Promise<void> {
  const modules = join(paths.quarantine, 'modules');
  if (fileKind(paths.quarantine) === 'folder' && fileKind(modules) === 'folder') {
    await clearPlace(paths.modules);
    await chmod(modules, 0o700);
    await rename(modules, paths.modules);
  }
  await clearPlace(paths.quarantine);
}

const LOOSE_FOLDER = /^[0-9a-f]{2}$/;
const LOOSE_OBJECT = /^[0-9a-f]{38}$/;
const PACK_FILE = /^pack-[0-9a-f]{40}\.(pack|idx)$/;

/**
 * Leave nothing in the quarantined object store but regular files that hold objects: no alternates, which could point
 * anywhere, no symbolic links, no FIFOs. Returns the folder, or null where there is none.
 */
export async function cleanObjects(paths: RunPaths): Promise<string | null> {
  const objects = join(paths.quarantine, 'objects');
  if (fileKind(objects) !== 'folder') return null;
  await unlockFolders(objects);
  await keepOnly(objects, (entry) => entry.folder && (LOOSE_FOLDER.test(entry.name) || entry.name === 'pack'));
  for (const folder of await readdir(objects)) {
    const holds = folder === 'pack' ? PACK_FILE : LOOSE_OBJECT;
    await keepOnly(join(objects, folder), (entry) => entry.file && holds.test(entry.name));
  }
  return objects;
}

async function keepOnly(
  folder: string,
  wanted: (entry: { name: string; file: boolean; folder: boolean }) => boolean,
): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (!wanted({ name: entry.name, file: entry.isFile(), folder: entry.isDirectory() })) {
      await removeTree(join(folder, entry.name));
    }
  }
}
