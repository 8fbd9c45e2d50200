import { join } from 'node:path';
import { z } from 'zod';
import { branchName, type RunRequest } from '../../schemas/run/run.ts';
import { findRepository } from '../repository/find-repository.ts';
import { ownerOf } from '../repository/repository-owner.ts';
import { GitError, type UserRepository } from '../git/git.ts';
import { linkLooseObjects } from '../git/link-objects.ts';
import type { NewObject } from '../git/search-objects.ts';
import { readTextIfAny } from '../../system/read-text.ts';
import { objectsFolder, scratchFolder } from '../repository/engine-repository.ts';
import { readDraft, writeDraft } from '../records/json-file.ts';
import { lastWork } from '../records/attempts.ts';
import { removeTree } from '../files/remove-tree.ts';
import { previousRuns } from '../records/runs.ts';
import type { RunPaths } from '../records/run-paths.ts';
import { transferObjects } from '../git/transfer-objects.ts';
import { dropUserRef, moveUserRef, NOWHERE, readUserRefs, type UserRef } from './user-refs.ts';

const SEND_MS = 600_000;

/** Where the user finds a run's last checkpoint. `ref` null: nowhere in their repository; `note` says why. */
export interface Placement {
  readonly ref: string | null;
  readonly note: string | null;
}

/** Where a ref of ours may be: where it last was (at first nowhere), and where it was about to go. */
const RefPositions = z.strictObject({ branch: z.array(z.string()), hidden: z.array(z.string()) });
type RefPositions = z.infer<typeof RefPositions>;

/**
 * Show a commit in the user's repository as branch `ralph/<run>`, or as `refs/ralph-runs/<run>` where that branch cannot be:
 * one named `ralph` exists, it is checked out, or somebody else moved it. `<run>` is the first run of the chain, whose
 * branch all of its runs share. Compare-and-swap; runs no hook; touches neither index, working tree nor any other ref. A
 * repository that cannot be written to gives a note, not an error. Safe to call again after a kill. Throws RalphError
 * `disk-full`.
 */
export async function publishBranch(asked: {
  paths: RunPaths;
  request: RunRequest;
  commit: string;
  /** The checkpoint that the run was at before. */
  base: string;
  /** What the commit has and the base does not; null: not known. */
  added: readonly NewObject[] | null;
}): Promise<Placement> {
  const { request } = asked;
  const user = await findRepository(request.repository.path).catch(() => null);
  if (user === null) {
    return { ref: null, note: `The repository ${request.repository.path} is gone; nothing was placed there.` };
  }
  try {
    const repository = { gitDir: user.commonDir, owner: await ownerOf(user.commonDir) };
    return await place({ ...asked, repository });
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    return { ref: null, note: `The repository ${user.top} could not be written to: ${error.message}` };
  }
}

interface PlacementRequest {
  readonly paths: RunPaths;
  /** The user's. */
  readonly repository: UserRepository;
  readonly request: RunRequest;
  readonly commit: string;
  readonly base: string;
  readonly added: readonly NewObject[] | null;
}

async function place(placing: PlacementRequest): Promise<Placement> {
  const { paths, repository, request, commit } = placing;
  const name = branchName(request);
  const [branch, hidden] = await readUserRefs(repository, [`refs/heads/${name}`, hiddenRef(name)]);
  const last = await lastPublished(placing, [branch, hidden]);
  await bringObjects(placing, { last, refs: [branch, hidden] });
  const before: RefPositions = { branch: knownTips(branch, last.branch), hidden: knownTips(hidden, last.hidden) };
  const intended: RefPositions = { branch: [...before.branch, commit], hidden: [...before.hidden, commit] };
  await writeDraft(paths.published, intended);
  const placement = await moveOne(placing, { last, branch, hidden });
  const after: RefPositions = {
    branch: placement.ref === branch.name ? [commit] : before.branch,
    hidden: placement.ref === hidden.name ? [commit] : before.hidden,
  };
  await writeDraft(paths.published, after);
  return placement;
}

/** Not `refs/ralph/<run>`: git would take the short name `ralph/<run>` for this ref, not for the branch. */
const hiddenRef = (branch: string): string => `refs/ralph-runs/${branch.slice('ralph/'.length)}`;

/**
 * Where the run last put its refs; before it put any, where the previous run left them. A power cut can lose the latest
 * record, but not the refs. So a ref at the new commit, or at the last commit on record, also counts as the run's own.
 */
async function lastPublished(
  { paths, request, commit }: PlacementRequest,
  refs: readonly UserRef[],
): Promise<RefPositions> {
  const { branch, hidden } = await published(paths, request);
  const known = new Set([NOWHERE, ...branch, ...hidden]);
  if (refs.every(({ at }) => known.has(at))) return { branch, hidden };
  const before = (await lastWork(paths)).commit;
  const ours = [commit, ...(before === null ? [] : [before])];
  return { branch: [...ours, ...branch], hidden: [...ours, ...hidden] };
}

async function published(paths: RunPaths, request: RunRequest): Promise<RefPositions> {
  const own = await readDraft(paths.published, RefPositions);
  if (own !== null) return own;
  for await (const before of previousRuns(paths, request)) {
    const left = await readDraft(before.paths.published, RefPositions);
    if (left !== null) return left;
  }
  return { branch: [NOWHERE], hidden: [NOWHERE] };
}

async function moveOne(
  { repository, request, commit }: PlacementRequest,
  { last, branch, hidden }: { last: RefPositions; branch: UserRef; hidden: UserRef },
): Promise<Placement> {
  const move = { repository, commit, identity: request.identity };
  const hiddenIsOurs = hidden.at === NOWHERE || last.hidden.includes(hidden.at);
  const obstacle = obstacleTo(branch, last.branch) ?? (await couldNotMove({ ...move, ref: branch }));
  if (obstacle === null) {
    // Left there, it would show a commit that the run has moved on from.
    if (hiddenIsOurs) await dropUserRef(repository, hidden);
    return { ref: branch.name, note: null };
  }
  const why = `Branch ${branchName(request)} ${obstacle}`;
  const failure = hiddenIsOurs ? await moveUserRef({ ...move, ref: hidden }) : 'it is not of this run';
  if (failure === null) return { ref: hidden.name, note: `${why}; the run is at ${hidden.name}.` };
  return { ref: null, note: `${why}, and ${hidden.name} could not be written either (${failure}).` };
}

async function couldNotMove(move: Parameters<typeof moveUserRef>[0]): Promise<string | null> {
  const failure = await moveUserRef(move);
  return failure === null ? null : `could not be written (${failure})`;
}

/** What stands in the way of moving the branch; completes the sentence "Branch … ". */
function obstacleTo(branch: UserRef, known: readonly string[]): string | null {
  if (branch.checkedOutIn !== null) return `is checked out in ${branch.checkedOutIn}`;
  if (known.includes(branch.at)) return null;
  return branch.at === NOWHERE ? 'was deleted by somebody' : 'was made or moved by somebody else';
}

/** Where a ref of ours is, if that is known, else where it last was. */
function knownTips(ref: UserRef, known: readonly string[]): string[] {
  return known.includes(ref.at) ? [ref.at] : known.slice(-1);
}

/**
 * A ref of ours in the user's repository keeps all of its history there, so only what is newer is sent: by links or
 * copies of the objects themselves if they are known, else by git. Without such a ref everything is sent: the user may
 * have rewritten their branches and collected the garbage. The base itself is theirs.
 */
async function bringObjects(
  { paths, repository, request, commit, base, added }: PlacementRequest,
  { last, refs }: { last: RefPositions; refs: readonly UserRef[] },
): Promise<void> {
  const ours = new Set([...last.branch, ...last.hidden]);
  const known = refs.map((ref) => ref.at).filter((at) => at !== NOWHERE && ours.has(at));
  if (known.includes(commit) || commit === request.repository.commit) return;
  const { gitDir, owner } = repository;
  if (owner === null && added !== null && known.includes(base) && !isShared(gitDir)) {
    const folders = { from: objectsFolder(paths), to: join(gitDir, 'objects') };
    if (await linkLooseObjects({ ...folders, oids: added.map(({ oid }) => oid) })) return;
  }
  const scratch = scratchFolder(paths);
  try {
    await transferObjects({
      from: { gitDir: paths.repository },
      to: { user: repository },
      commits: [commit],
      known,
      strict: false,
      scratch,
      timeoutMs: SEND_MS,
    });
  } finally {
    await removeTree(scratch);
  }
}

/** git gives the files of a repository that several people use other rights (`core.sharedRepository`). */
function isShared(gitDir: string): boolean {
  return /sharedrepository|\[include/i.test(readTextIfAny(join(gitDir, 'config')) ?? '');
}
