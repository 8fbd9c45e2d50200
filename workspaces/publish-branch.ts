import { z } from 'zod';
import type { RunRequest } from '../schemas/run.ts';
import { findRepository } from './find-repository.ts';
import { git, GitError, type Identity } from './git.ts';
import { isOid, scratchFolder } from './engine-repository.ts';
import { readJson, writeJsonAtomically } from './json-file.ts';
import { removeTree } from './remove-tree.ts';
import type { RunPaths } from './run-paths.ts';
import { transferObjects } from './transfer-objects.ts';

/** Where the user finds a run's last checkpoint. `ref` null: nowhere in their repository; `note` says why. */
export interface Placement {
  readonly ref: string | null;
  readonly note: string | null;
}

/** Commits that a ref of ours may be at: the last one we put there, and the one we were about to. */
const Published = z.strictObject({ branch: z.array(z.string()), hidden: z.array(z.string()) });
type Published = z.infer<typeof Published>;

interface UserRef {
  readonly name: string;
  readonly at: string | null;
  readonly checkedOutIn: string | null;
}

const NOWHERE = '0'.repeat(40);

/**
 * Show a commit in the user's repository as branch `ralph/<run>`, or as `refs/ralph/<run>` where that branch cannot be:
 * one named `ralph` exists, it is checked out, or somebody else moved it. Compare-and-swap; runs no hook; touches
 * neither index, working tree nor any other ref. A repository that cannot be written to gives a note, not an error.
 * Safe to call again after a kill. Throws RalphError `disk-full`.
 */
export async function publishBranch(asked: {
  paths: RunPaths;
  request: RunRequest;
  commit: string;
}): Promise<Placement> {
  const { paths, request, commit } = asked;
  const user = await findRepository(request.repository.path).catch(() => null);
  if (user === null) {
    return { ref: null, note: `The repository ${request.repository.path} is gone; nothing was placed there.` };
  }
  try {
    return await place({ paths, gitDir: user.commonDir, request, commit });
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    return { ref: null, note: `The repository ${user.top} could not be written to: ${error.message}` };
  }
}

async function place(asked: {
  paths: RunPaths;
  gitDir: string;
  request: RunRequest;
  commit: string;
}): Promise<Placement> {
  const { paths, gitDir, request, commit } = asked;
  const { runId, identity } = request;
  const published = (await readJson(paths.published, Published)) ?? { branch: [], hidden: [] };
  const [branch, hidden] = await readRefs(gitDir, [`refs/heads/ralph/${runId}`, `refs/ralph/${runId}`]);
  await bringObjects({ paths, gitDir, commit, base: request.repository.commit, published, refs: [branch, hidden] });
  await writeJsonAtomically(paths.published, {
    branch: [...new Set([...at(branch, published.branch), commit])],
    hidden: [...new Set([...at(hidden, published.hidden), commit])],
  } satisfies Published);

  const obstacle = obstacleTo(branch, published.branch);
  const move = { gitDir, commit, identity };
  const refusal = obstacle === null ? await moveRef({ ...move, ref: branch }) : null;
  if (obstacle === null && refusal === null) {
    if (hidden.at !== null && published.hidden.includes(hidden.at)) await dropRef(gitDir, hidden);
    return { ref: branch.name, note: null };
  }

  const why = `Branch ralph/${runId} ${obstacle ?? `could not be written (${refusal})`}`;
  const inTheWay = hidden.at !== null && !published.hidden.includes(hidden.at) ? 'it is not of this run' : null;
  const hiddenRefusal = inTheWay ?? (await moveRef({ ...move, ref: hidden }));
  if (hiddenRefusal === null) return { ref: hidden.name, note: `${why}; the run is at ${hidden.name}.` };
  return { ref: null, note: `${why}, and ${hidden.name} could not be written either (${hiddenRefusal}).` };
}

/** What stands in the way of moving the branch; completes the sentence "Branch … ". */
function obstacleTo(branch: UserRef, known: readonly string[]): string | null {
  if (branch.checkedOutIn !== null) return `is checked out in ${branch.checkedOutIn}`;
  if (branch.at === null) return known.length === 0 ? null : 'was deleted by somebody';
  return known.includes(branch.at) ? null : 'was made or moved by somebody else';
}

/** What is known about a ref after it was read: where it is, if that is a commit of ours. */
function at(ref: UserRef, known: readonly string[]): string[] {
  return ref.at !== null && known.includes(ref.at) ? [ref.at] : [...known].slice(-1);
}

async function readRefs(gitDir: string, names: readonly [string, string]): Promise<[UserRef, UserRef]> {
  const format = '%(refname)%00%(objectname)%00%(worktreepath)';
  const { stdout } = await git({ gitDir, args: ['for-each-ref', `--format=${format}`, ...names] });
  const lines = stdout.toString('utf8').split('\n');
  const find = (name: string): UserRef => {
    const [, oid = '', worktree = ''] = lines.find((line) => line.startsWith(`${name}\0`))?.split('\0') ?? [];
    return { name, at: isOid(oid) ? oid : null, checkedOutIn: worktree === '' ? null : worktree };
  };
  return [find(names[0]), find(names[1])];
}

/** Null: moved (or there already). Else the first line of why git refused. */
async function moveRef(move: {
  gitDir: string;
  commit: string;
  identity: Identity;
  ref: UserRef;
}): Promise<string | null> {
  const { gitDir, commit, identity, ref } = move;
  if (ref.at === commit) return null;
  try {
    await git({
      gitDir,
      identity,
      args: ['update-ref', '--no-deref', '-m', 'ralph: checkpoint', ref.name, commit, ref.at ?? NOWHERE],
    });
    return null;
  } catch (error) {
    if (error instanceof GitError) return error.stderr.trim().split('\n')[0] ?? '';
    throw error;
  }
}

/** `ralph/<run>` is short for either ref, so the hidden one goes as soon as the branch is up to date. */
async function dropRef(gitDir: string, ref: UserRef): Promise<void> {
  // Refused, it stays: a later checkpoint tries again.
  await git({ gitDir, args: ['update-ref', '--no-deref', '-d', ref.name, ref.at ?? NOWHERE], okCodes: [1, 128] });
}

/**
 * A ref of ours in the user's repository keeps all of its history there, so only what is newer is sent. Without one
 * everything is: the user may have rewritten their branches and collected the garbage.
 */
async function bringObjects(asked: {
  paths: RunPaths;
  gitDir: string;
  commit: string;
  base: string;
  published: Published;
  refs: readonly UserRef[];
}): Promise<void> {
  const { paths, gitDir, commit, base, published, refs } = asked;
  const ours = new Set([...published.branch, ...published.hidden]);
  const known = refs.flatMap((ref) => (ref.at !== null && ours.has(ref.at) ? [ref.at] : []));
  if (known.includes(commit) || (commit === base && ours.size === 0)) return;
  const scratch = await scratchFolder(paths);
  try {
    await transferObjects({ from: { gitDir: paths.repository }, to: { gitDir }, commits: [commit], known, scratch });
  } finally {
    await removeTree(scratch);
  }
}
