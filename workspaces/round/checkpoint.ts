import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { ralphError } from '../../schemas/errors/index.ts';
import { Checkpoint } from '../../schemas/round/round.ts';
import type { RunRequest } from '../../schemas/run/run.ts';
import { attemptName, refuseSuperseded } from './begin-round.ts';
import { checkpointMessage, type CheckpointStatus } from './checkpoint-message.ts';
import { shellWord } from '../../system/shell-word.ts';
import { namingFullDisk } from '../../system/disk-full.ts';
import { CHECKPOINT_REF, copyIndex, engineIndex, lastCheckpoint, scratchFolder } from './engine-repository.ts';
import { ensureFolder } from '../files/ensure-folder.ts';
import { gitText } from '../git/git.ts';
import { importCommits, type Imported } from './import-commits.ts';
import { readDraft, writeDraft } from '../records/json-file.ts';
import { discardQuarantine, quarantineGitDir } from './quarantine.ts';
import { readAgentRefs } from './read-agent-refs.ts';
import { removeTree } from '../files/remove-tree.ts';
import type { RunPaths } from '../records/run-paths.ts';
import { stageTree } from './stage-tree.ts';
import { Lease } from '../records/lease.ts';
import { updateRefs } from '../git/update-refs.ts';

export type { CheckpointStatus };

interface Asked {
  readonly paths: RunPaths;
  readonly request: RunRequest;
  readonly round: number;
  readonly attempt: number;
  readonly status: CheckpointStatus;
  /** What the agent says it did, or why there is no report. Goes into the commit message. */
  readonly summary: string;
  /** Takes secrets out of a text: names of files and branches are an agent's, and are written down. */
  readonly redact?: (text: string) => string;
}

/** The checkpoint as it was decided, written before the engine's repository is told. */
const Decided = z.strictObject({
  round: z.int().positive(),
  attempt: z.int().positive(),
  checkpoint: Checkpoint,
  /** Full names below the engine's `refs/ralph/<run>/`. */
  kept: z.record(z.string(), z.string()),
});
type Decided = z.infer<typeof Decided>;

/**
 * Commit what an ended attempt left: its own commits where they go on from the round's base, then one commit with
 * whatever else is in the tree. A report's checkpoint is made also where nothing changed; for an attempt without one
 * `commit` is then the base. Call it only when nothing of the attempt runs any more.
 * Called again for the same attempt, after a kill at any point, it makes one checkpoint and returns it.
 * Throws RalphError (`attempt-superseded`, `disk-full`, `workspace-missing`).
 */
export async function checkpoint(asked: Asked): Promise<Checkpoint> {
  const { paths, round, attempt } = asked;
  return namingFullDisk(paths.root, async () => {
    const last = await readDraft(paths.checkpoint, Decided);
    const base = await lastCheckpoint(paths);
    const made = last !== null && last.round === round && last.attempt === attempt;
    if (made && [last.checkpoint.base, last.checkpoint.commit].includes(base)) return settle(asked, last);
    const lease = await refuseSuperseded(paths, { round, attempt });
    if (!made && lease !== null && isOf(lease, asked) && lease.base !== base)
      return await madeUnrecorded(asked, lease.base, base);
    const decided = await decide(asked, base);
    await writeDraft(paths.checkpoint, decided);
    return settle(asked, decided);
  });
}

const isOf = (lease: Lease, { round, attempt }: Asked): boolean => lease.round === round && lease.attempt === attempt;

/**
 * The checkpoint of an attempt whose record a power cut took: the engine's ref, which outlives one, has moved since the
 * attempt was given the tree.
 */
async function madeUnrecorded({ paths }: Asked, base: string, commit: string): Promise<Checkpoint> {
  const flags = ['--shortstat', '--no-renames', '--no-ext-diff', '--no-textconv', '--ignore-submodules=all'];
  const stat = await gitText({ gitDir: paths.repository, args: ['diff', ...flags, base, commit] });
  const count = (what: string): number => Number(new RegExp(`(\\d+) ${what}`).exec(stat)?.[1] ?? 0);
  const changes = { files: count('file'), insertions: count('insertion'), deletions: count('deletion') };
  const note = 'The machine went down before the notes of this checkpoint were kept; the commit is whole.';
  return { commit, base, changes, ref: null, notes: [note], secrets: [] };
}

async function decide(asked: Asked, base: string): Promise<Decided> {
  const { paths, request, round, attempt } = asked;
  const scratch = await scratchFolder(paths);
  try {
    const lease = await readDraft(paths.lease, Lease);
    const begun = lease !== null && isOf(lease, asked);
    const imported = await takeOver({ paths, base, scratch, begun });
    await ensureFolder(paths.tree);
    const index = join(scratch, 'index');
    await copyIndex(engineIndex(paths), index);
    const staged = await stageTree({ paths, base, parent: imported.parent, index });
    const commit = await commitTree(asked, { parent: imported.parent, tree: staged.tree });
    await rename(index, engineIndex(paths));
    const { redact = unchanged } = asked;
    const space = `refs/ralph/${request.runId}/${round}.${attempt}`;
    const names = Object.entries(imported.kept).map(([name, oid], at) => {
      const shown = redact(name) === name ? name : `redacted/${at}`;
      return [`${space}/${shown}`, oid] as const;
    });
    const kept = Object.fromEntries(names);
    const notes = [...imported.notes, ...staged.notes, ...keptNote(paths.repository, Object.keys(kept))].map(redact);
    return {
      round,
      attempt,
      kept,
      checkpoint: { commit, base, changes: staged.changes, ref: null, notes, secrets: [] },
    };
  } finally {
    await removeTree(scratch);
  }
}

const unchanged = (text: string): string => text;

function keptNote(repository: string, names: readonly string[]): string[] {
  if (names.length === 0) return [];
  return [
    `Other branches and stashes of the agent are kept: git fetch ${[repository, ...names].map(shellWord).join(' ')}`,
  ];
}

/** Whatever the agent made of `tree/.git`. */
async function takeOver(asked: {
  paths: RunPaths;
  base: string;
  scratch: string;
  /** Whether the attempt came to have a tree/.git of its own. */
  begun: boolean;
}): Promise<Imported> {
  const { paths, base, begun } = asked;
  const left = await quarantineGitDir(paths);
  const alone = (what: string): Imported => ({ parent: base, kept: {}, notes: begun ? [what] : [] });
  switch (left) {
    case 'missing':
      return alone('The agent deleted tree/.git; its own commits, if any, are lost. The files in the tree are not.');
    case 'replaced':
      return alone('The agent replaced tree/.git by something else; only the files in the tree were taken.');
    case 'folder':
      return importCommits({ ...asked, left: await readAgentRefs(paths) });
    default:
      return left satisfies never;
  }
}

async function commitTree(asked: Asked, what: { parent: string; tree: string | null }): Promise<string> {
  const { parent, tree } = what;
  const reported = ['continue', 'complete', 'blocked'].includes(asked.status);
  if (tree === null && !reported) return parent;
  return gitText({
    gitDir: asked.paths.repository,
    identity: asked.request.identity,
    args: ['commit-tree', '-p', parent, tree ?? `${parent}^{tree}`],
    stdin: { text: checkpointMessage({ ...asked, runId: asked.request.runId }) },
  });
}

/** Move the engine's refs to what was decided; done already, it changes nothing. */
async function settle(asked: Asked, decided: Decided): Promise<Checkpoint> {
  const { paths, request } = asked;
  const { commit, base } = decided.checkpoint;
  const now = await lastCheckpoint(paths);
  if (now !== base && now !== commit) {
    throw ralphError('attempt-superseded', { asked: attemptName(asked), current: `checkpoint ${now}` });
  }
  const kept = Object.entries(decided.kept).map(([name, to]) => ({ name, to, from: null }));
  const moves = now === commit ? kept : [...kept, { name: CHECKPOINT_REF, to: commit, from: base }];
  if (moves.length > 0) await updateRefs({ paths, identity: request.identity, moves });
  await discardQuarantine(paths);
  return decided.checkpoint;
}
