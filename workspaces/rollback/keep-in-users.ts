import { ralphError } from '../../schemas/errors/index.ts';
import { branchName, type RunRequest } from '../../schemas/run/run.ts';
import { scratchFolder } from '../repository/engine-repository.ts';
import { findRepository } from '../repository/find-repository.ts';
import { ownerOf } from '../repository/repository-owner.ts';
import { GitError, type UserRepository } from '../git/git.ts';
import { removeTree } from '../files/remove-tree.ts';
import type { RunPaths } from '../records/run-paths.ts';
import { transferObjects } from '../git/transfer-objects.ts';
import { moveUserRef, readUserRefs } from '../round/user-refs.ts';

const SEND_MS = 600_000;

/**
 * Keep a commit of a run reachable in the user's repository, under a ref that only the engine uses. Returns a note if the
 * repository is gone. Throws RalphError `rollback-not-kept` if it cannot be written to.
 */
export async function keepInUsers(asked: {
  paths: RunPaths;
  request: RunRequest;
  ref: string;
  commit: string;
}): Promise<string | null> {
  const { paths, request, ref, commit } = asked;
  const user = await findRepository(request.repository.path).catch(() => null);
  if (user === null) return `The repository ${request.repository.path} is gone; nothing was placed there.`;
  const repository = { gitDir: user.commonDir, owner: await ownerOf(user.commonDir) };
  let why: string | null;
  try {
    const [kept, branch] = await readUserRefs(repository, [ref, `refs/heads/${branchName(request)}`]);
    if (kept.at === commit) return null;
    if (branch.at !== commit) await bring({ paths, repository, commit });
    why = await moveUserRef({ repository, identity: request.identity, ref: kept, commit });
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    why = error.message;
  }
  if (why !== null) throw ralphError('rollback-not-kept', { ref, path: user.top, why });
  return null;
}

/** With everything that it needs: the user's git may have removed objects that no ref of theirs reaches. */
async function bring({
  paths,
  repository,
  commit,
}: {
  paths: RunPaths;
  repository: UserRepository;
  commit: string;
}): Promise<void> {
  const scratch = scratchFolder(paths);
  try {
    await transferObjects({
      from: { gitDir: paths.repository },
      to: { user: repository },
      commits: [commit],
      known: [],
      strict: false,
      scratch,
      timeoutMs: SEND_MS,
    });
  } finally {
    await removeTree(scratch);
  }
}
