import { ralphError } from '../../schemas/errors/index.ts';
import { engineGit, GitError } from './git.ts';

const TIMEOUT_MS = 900_000;

/**
 * Check a commit of the engine's repository out into an empty folder, with a new index. Throws RalphError
 * (`unreadable-repository`, `disk-full`).
 * @param root the run's folder, for the error
 */
export async function checkOut(asked: {
  gitDir: string;
  workTree: string;
  index: string;
  commit: string;
  root: string;
}): Promise<void> {
  const { gitDir, workTree, index, commit, root } = asked;
  try {
    await engineGit({ gitDir, workTree, index, args: ['read-tree', '-u', '--reset', commit], timeoutMs: TIMEOUT_MS });
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    throw ralphError('unreadable-repository', { path: root, why: error.message }, { cause: error });
  }
}
