import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { ralphError } from '../../schemas/errors/index.ts';
import { Checkpoint } from '../../schemas/round/round.ts';
import type { RunRequest } from '../../schemas/run/run.ts';
import { namingFullDisk } from '../../system/disk-full.ts';
import { ensureFolder } from '../files/ensure-folder.ts';
import { removeTree } from '../files/remove-tree.ts';
import type { NewObject } from '../git/search-objects.ts';
import { readDraft, writeDraft } from '../records/json-file.ts';
import { Lease } from '../records/lease.ts';
import type { RunPaths } from '../records/run-paths.ts';
import { attemptName, rejectSuperseded } from './begin-round.ts';
import { commitTree } from './commit-tree.ts';
import { checkpointMessage, type CheckpointStatus } from './checkpoint-message.ts';
import {
  copyIndex,
  engineIndex,
  lastCheckpoint,
  moveCheckpoint,
  scratchFolder,
} from '../repository/engine-repository.ts';
import { importCommits, type CommitImport } from './import-commits.ts';
import { keepRefs } from './keep-refs.ts';
import { discardQuarantine, quarantineGitDir } from './quarantine.ts';
import { readAgentRefs } from './read-agent-refs.ts';
import { readChanges } from '../tree/read-changes.ts';
import { setupMadeNotes } from '../tree/setup-made.ts';
import { treeState } from './tree-state.ts';
import { stageTree } from '../tree/stage-tree.ts';

export type { CheckpointStatus };

interface CheckpointRequest {
  readonly paths: RunPaths;
  readonly request: RunRequest;
  readonly round: number;
  readonly attempt: number;
  readonly status: CheckpointStatus;
  /** What the agent says it did, or why there is no report. Goes into the commit message. */
  readonly summary: string;
  /** Takes secrets out of a text: names of files and branches are an agent's, and are written down. */
  readonly redact: (text: string) => string;
}

/** A checkpoint, and what is known of the objects that it added to the engine's repository. */
export interface MadeCheckpoint {
  readonly checkpoint: Checkpoint;
  /** What its commit has and its base does not; null: `listNewObjects` must ask git. */
  readonly committed: readonly NewObject[] | null;
  /** A glob of the refs that keep the agent's other commits; null: there are none. */
  readonly kept: string | null;
}

/** The checkpoint as it was decided, written before the engine's ref moves. */
const CheckpointDecision = z.strictObject({
  round: z.int().positive(),
  attempt: z.int().positive(),
  checkpoint: Checkpoint,
});
type CheckpointDecision = z.infer<typeof CheckpointDecision>;

/**
 * Commit what an ended attempt left: its own commits where they go on from the round's base, then one commit with
 * whatever else is in the tree. An attempt with a report gets a checkpoint even if nothing changed; for one without a
 * report, `commit` is then the base. Call it only when nothing of the attempt runs any more. Called again for the same
 * attempt, after a kill at any point, it makes one checkpoint and returns it.
 * Throws RalphError (`attempt-superseded`, `disk-full`, `workspace-missing`).
 */
export async function checkpoint(asked: CheckpointRequest): Promise<MadeCheckpoint> {
  const { paths, round, attempt } = asked;
  return namingFullDisk(paths.root, async () => {
    const last = await readDraft(paths.checkpoint, CheckpointDecision);
    const base = await lastCheckpoint(paths);
    const decided = last !== null && last.round === round && last.attempt === attempt ? last : null;
    if (decided !== null && [decided.checkpoint.base, decided.checkpoint.commit].includes(base)) {
      await moveRef(asked, decided);
      return { checkpoint: decided.checkpoint, committed: null, kept: keptGlob(asked) };
    }
    const lease = await rejectSuperseded(paths, { round, attempt });
    if (decided === null && lease !== null && isOf(lease, asked) && lease.base !== base) {
      return { checkpoint: await madeUnrecorded(asked, lease.base, base), committed: null, kept: keptGlob(asked) };
    }
    const made = await make(asked, base);
    await writeDraft(paths.checkpoint, { round, attempt, checkpoint: made.checkpoint } satisfies CheckpointDecision);
    await moveRef(asked, made);
    return made;
  });
}

const isOf = (lease: Lease, { round, attempt }: CheckpointRequest): boolean =>
  lease.round === round && lease.attempt === attempt;

/**
 * The checkpoint of an attempt whose record a power cut took: the engine's ref, which outlives one, has moved since the
 * attempt was given the tree.
 */
async function madeUnrecorded({ paths }: CheckpointRequest, base: string, commit: string): Promise<Checkpoint> {
  const { changes } = await readChanges({ gitDir: paths.repository, from: base, to: commit });
  const note = 'The machine went down before the notes of this checkpoint were kept; the commit is whole.';
  return { commit, base, changes, ref: null, notes: [note], secrets: [] };
}

/** Everything but the move of the engine's ref. */
async function make(asked: CheckpointRequest, base: string): Promise<MadeCheckpoint> {
  const { paths, request, redact } = asked;
  const scratch = scratchFolder(paths);
  try {
    const lease = await readDraft(paths.lease, Lease);
    const begun = lease !== null && isOf(lease, asked);
    const state = await treeState(paths);
    if (state === 'gone') return await makeWithoutTree(asked, base);
    const imported = await takeOver({ paths, base, scratch, begun });
    const kept = await keepRefs({
      paths,
      identity: request.identity,
      space: keptSpace(asked),
      refs: imported.kept,
      redact,
    });
    await ensureFolder(paths.tree);
    const index = join(scratch, 'index');
    copyIndex(engineIndex(paths), index);
    const staged = await stageTree({
      paths,
      base,
      parent: imported.parent,
      index,
      isReplaced: state === 'replaced',
    });
    const commit = await commitTree({
      paths,
      identity: request.identity,
      parent: imported.parent,
      tree: staged.tree,
      evenIfUnchanged: REPORTED.has(asked.status),
      message: checkpointMessage({ ...asked, runId: request.runId }),
    });
    await rename(index, engineIndex(paths));
    const setup = asked.round === 1 ? await setupMadeNotes(paths) : [];
    const replaced = state === 'replaced' ? [TREE_REPLACED] : [];
    const notes = [...setup, ...replaced, ...imported.notes, ...staged.notes, ...kept.notes].map(redact);
    const own = [commit, staged.tree].map((oid) => ({ oid, path: null }));
    return {
      checkpoint: { commit, base, changes: staged.changes, ref: null, notes, secrets: [] },
      committed: commit === base ? [] : staged.objects === null ? null : [...own, ...staged.objects],
      kept: kept.any ? keptGlob(asked) : null,
    };
  } finally {
    await removeTree(scratch);
  }
}

const TREE_REPLACED =
  'The agent put another folder in the place of its workspace. The files in it were taken, and those that it did not have were put back.';
const TREE_GONE =
  'The agent removed its workspace, or put something else in its place. Nothing of this attempt could be taken; the next one begins from the last checkpoint.';

/** No tree, no work: the files of the base stay as they are. */
async function makeWithoutTree(asked: CheckpointRequest, base: string): Promise<MadeCheckpoint> {
  const { paths, request, status } = asked;
  const commit = await commitTree({
    paths,
    identity: request.identity,
    parent: base,
    tree: null,
    evenIfUnchanged: REPORTED.has(status),
    message: checkpointMessage({ ...asked, runId: request.runId }),
  });
  const changes = { files: 0, insertions: 0, deletions: 0 };
  return {
    checkpoint: { commit, base, changes, ref: null, notes: [TREE_GONE], secrets: [] },
    committed: commit === base ? [] : [{ oid: commit, path: null }],
    kept: null,
  };
}

/** An attempt with a report gets a checkpoint even if nothing changed. */
const REPORTED: ReadonlySet<CheckpointStatus> = new Set(['continue', 'complete', 'blocked']);

/** Where the engine keeps what an attempt made beside its line of history. */
const keptSpace = ({ request, round, attempt }: CheckpointRequest): string =>
  `refs/ralph/${request.runId}/${round}.${attempt}`;
const keptGlob = (asked: CheckpointRequest): string => `${keptSpace(asked)}/*`;

/** Whatever the agent made of `tree/.git`. */
async function takeOver(asked: {
  paths: RunPaths;
  base: string;
  scratch: string;
  /** Whether the attempt came to have a tree/.git of its own. */
  begun: boolean;
}): Promise<CommitImport> {
  const { paths, base, begun } = asked;
  const left = await quarantineGitDir(paths);
  const alone = (what: string): CommitImport => ({ parent: base, kept: {}, notes: begun ? [what] : [] });
  switch (left) {
    case 'missing':
      return alone('The agent deleted tree/.git; its own commits, if any, are lost. The files in the tree are not.');
    case 'replaced':
      return alone('The agent replaced tree/.git by something else; only the files in the tree were taken.');
    case 'stuck':
      return alone('The system did not let tree/.git be moved; only the files in the tree were taken.');
    case 'folder':
      return importCommits({ ...asked, left: await readAgentRefs(paths) });
    default:
      return left satisfies never;
  }
}

/** Move the engine's ref to the decided commit. Changes nothing if it is there already. */
async function moveRef(
  asked: CheckpointRequest,
  { checkpoint: { commit, base } }: { checkpoint: Checkpoint },
): Promise<void> {
  const { paths } = asked;
  const at = commit === base ? await lastCheckpoint(paths) : await moveCheckpoint(paths, { from: base, to: commit });
  if (at !== commit) {
    throw ralphError('attempt-superseded', { asked: attemptName(asked), current: `checkpoint ${at}` });
  }
  await discardQuarantine(paths);
}
