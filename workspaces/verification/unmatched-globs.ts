import { findRepository } from '../repository/find-repository.ts';
import { readGit } from '../git/read-git.ts';

/** git knows it without having it. */
const EMPTY_TREE = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';

/** Of git's globs, the ones that no file of a commit of a user's repository matches. */
export async function unmatchedGlobs(asked: {
  /** Top level of the working tree. */
  path: string;
  commit: string;
  globs: readonly string[];
}): Promise<string[]> {
  const { path, commit, globs } = asked;
  if (globs.length === 0) return [];
  const { gitDir } = await findRepository(path);
  const unmatched: string[] = [];
  for (const glob of globs) {
    const shape = ['-r', '-z', '--name-only', '--no-renames', '--no-ext-diff'];
    const args = ['diff-tree', ...shape, '--end-of-options', EMPTY_TREE, commit, '--', `:(top,glob)${glob}`];
    if ((await readGit({ gitDir, args })) === '') unmatched.push(glob);
  }
  return unmatched;
}
