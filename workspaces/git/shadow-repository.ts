import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeGitDir } from '../repository/make-git-dir.ts';
import { removeTree } from '../files/remove-tree.ts';

/** Where to ask about a user's objects without meeting any setting of theirs; the shape of an EngineCall. */
export interface Shadow {
  readonly gitDir: string;
  readonly alsoObjects: string;
}

/** Make a repository of ours for the time of `work`, at `commit`, that borrows the objects of the user's. */
export async function inShadowRepository<T>(
  borrowed: { objects: string; commit: string },
  work: (shadow: Shadow) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'ralph-inspect-'));
  try {
    const gitDir = join(folder, 'git');
    const config = '[core]\n\trepositoryformatversion = 0\n';
    makeGitDir({ folder: gitDir, branch: 'shadow', commit: borrowed.commit, config });
    return await work({ gitDir, alsoObjects: borrowed.objects });
  } finally {
    await removeTree(folder);
  }
}
