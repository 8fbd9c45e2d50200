import { existsSync } from 'node:fs';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startCommit, type RunRequest } from '../../schemas/run/run.ts';
import { namingFullDisk } from '../../system/disk-full.ts';
import { readTextIfAny } from '../../system/read-text.ts';
import { CHECKPOINT_BRANCH, engineIndex } from './engine-repository.ts';
import { findRepository } from './find-repository.ts';
import { checkOut } from '../git/check-out.ts';
import { userGit } from '../git/git.ts';
import { readJson, writeJsonAtomically } from '../records/json-file.ts';
import { makePrivateFolder } from '../../system/write-atomically.ts';
import { linkObjects } from '../git/link-objects.ts';
import { makeGitDir } from './make-git-dir.ts';
import { previousRuns } from '../records/runs.ts';
import { publishBranch } from '../round/publish-branch.ts';
import { removeTree } from '../files/remove-tree.ts';
import type { RunPaths } from '../records/run-paths.ts';
import { WorkspaceState } from '../../schemas/loop/preparation.ts';

/** Objects and refs are flushed: git by itself would lose a checkpoint's loose objects with the power. */
const ENGINE_CONFIG = `[core]
\trepositoryformatversion = 0
\tfilemode = true
\tbare = true
\tfsync = committed,reference
\tfsyncMethod = batch
`;

/**
 * Make a run's workspace: a repository of the engine's own with the user's objects, and the base checked out in `tree/`.
 * A follow-up also has the objects of the run before it, and begins where that one ended. Freezes the request. Called
 * again, it returns what is there, or begins anew if an earlier call was killed.
 * Throws RalphError (`not-a-repository`, `unreadable-repository`, `disk-full`).
 */
export async function createWorkspace(asked: { paths: RunPaths; request: RunRequest }): Promise<WorkspaceState> {
  const { paths, request } = asked;
  const made = await readJson(paths.workspace, WorkspaceState);
  if (made !== null) return made;
  return namingFullDisk(paths.root, async () => {
    makePrivateFolder(paths.root);
    for (const folder of [paths.cache, paths.rounds, paths.scratch]) makePrivateFolder(folder);
    await writeJsonAtomically(paths.request, request);
    await makeRepository(paths, request);
    const base = startCommit(request);
    await makeTree(paths, base);
    const { ref, note } = await publishBranch({ paths, request, commit: base, base, added: null });
    const state: WorkspaceState = { base, ref, notes: note === null ? [] : [note] };
    await writeJsonAtomically(paths.workspace, state);
    return state;
  });
}

async function makeRepository(paths: RunPaths, request: RunRequest): Promise<void> {
  const user = await findRepository(request.repository.path);
  const draft = `${paths.repository}.new`;
  await Promise.all([removeTree(draft), removeTree(paths.repository)]);
  makeGitDir({ folder: draft, branch: CHECKPOINT_BRANCH, commit: startCommit(request), config: ENGINE_CONFIG });
  await writeFile(join(draft, 'info', 'exclude'), request.ignore);
  const sources = [user.commonDir, ...(await repositoryBefore(paths, request))];
  for (const source of sources) await linkObjects({ from: join(source, 'objects'), to: join(draft, 'objects') });
  await writeShallow(sources, draft);
  await writeFile(join(draft, 'packed-refs'), await tagsOf(user.commonDir));
  await rename(draft, paths.repository);
}

/** The engine's repository of the run before, which has commits that the user may not; none where no run got one. */
async function repositoryBefore(paths: RunPaths, request: RunRequest): Promise<string[]> {
  for await (const before of previousRuns(paths, request)) {
    const { repository } = before.paths;
    if (existsSync(repository)) return [repository];
  }
  return [];
}

/** If a source is a shallow clone, the new repository is shallow at the same commits. */
async function writeShallow(sources: readonly string[], draft: string): Promise<void> {
  const texts = sources.map((source) => readTextIfAny(join(source, 'shallow')));
  const commits = new Set(
    texts.flatMap((text) => (text === null ? [] : text.split('\n'))).filter((line) => line !== ''),
  );
  if (commits.size === 0) return;
  await writeFile(join(draft, 'shallow'), [...commits, ''].join('\n'));
}

/** The user's tags, as git packs them: agents' builds may ask `git describe`. */
async function tagsOf(gitDir: string): Promise<Buffer> {
  const args = ['for-each-ref', '--format=%(objectname) %(refname)', 'refs/tags'];
  // As this user: where root cannot become the owner, a run still starts, and its checkpoints say what is wrong.
  return (await userGit({ gitDir, owner: null }, { args })).stdout;
}

async function makeTree(paths: RunPaths, commit: string): Promise<void> {
  await removeTree(paths.tree);
  await mkdir(paths.tree, { mode: 0o700 });
  const index = engineIndex(paths);
  await removeTree(index);
  await checkOut({ gitDir: paths.repository, workTree: paths.tree, index, commit, root: paths.root });
}
