import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Changes } from '../schemas/round.ts';
import { git, GitError, gitText, type GitCall } from './git.ts';
import { NO_CHANGES, readIndexDiff, type ChangedEntry } from './read-index-diff.ts';
import type { RunPaths } from './run-paths.ts';

/** The working tree as git can hold it. */
export interface Staged {
  /** The tree object; null where it is the parent's. */
  readonly tree: string | null;
  /** Against `base`, so with what the agent committed itself. */
  readonly changes: Changes;
  readonly notes: readonly string[];
}

const TIMEOUT_MS = 900_000;
const GITLINK = '160000';
const RAW_ATTRIBUTES = '* -text -eol -ident -filter -working-tree-encoding\n';

/**
 * Bring the tree into `index` (a copy of the engine's, whose stat data saves reading every file) and write it as a tree
 * object. Ignored files stay out; nested repositories and moved submodules do as well, and are named in the notes.
 */
export async function stageTree(asked: {
  paths: RunPaths;
  base: string;
  parent: string;
  index: string;
}): Promise<Staged> {
  const { paths, base, parent, index } = asked;
  const engine = { gitDir: paths.repository, index };
  const onTree = { ...engine, workTree: paths.tree };
  if (parent !== base) await git({ ...onTree, args: ['read-tree', '-i', '-m', parent] });
  const notes = await addAll({ ...onTree, args: ['add', '-A', '--ignore-errors'] });

  const ofParent = await readIndexDiff({ ...engine, against: parent });
  const links = ofParent.entries.filter((entry) => entry.mode === GITLINK);
  if (links.length > 0) await restore(engine, links);
  const nested = links.filter((entry) => entry.oldMode !== GITLINK);
  const moved = links.filter((entry) => entry.oldMode === GITLINK);
  if (nested.length > 0) notes.push(`Nested repositories, kept in the tree only: ${names(nested)}.`);
  if (moved.length > 0) notes.push(`Submodules at another commit, kept in the tree only: ${names(moved)}.`);

  const same = ofParent.entries.length === links.length;
  const changes = parent === base ? ofParent.changes : (await readIndexDiff({ ...engine, against: base })).changes;
  const tree = same ? null : await gitText({ ...engine, args: ['write-tree'] });
  return { tree, changes: same && parent === base ? NO_CHANGES : changes, notes };
}

/**
 * `git add -A` that one bad file cannot stop. Where the tree's own attributes make git give up (an encoding that the
 * files do not have), everything is added byte for byte instead.
 */
async function addAll(call: GitCall): Promise<string[]> {
  const bounded = { ...call, timeoutMs: TIMEOUT_MS, okCodes: [1] };
  try {
    return leftOut(await git(bounded));
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    const attributes = join(call.gitDir, 'info', 'attributes');
    await mkdir(join(call.gitDir, 'info'), { recursive: true });
    await writeFile(attributes, RAW_ATTRIBUTES);
    try {
      const notes = leftOut(await git(bounded));
      return [...notes, `The tree's .gitattributes were not followed: ${error.message}`];
    } finally {
      await rm(attributes, { force: true });
    }
  }
}

const MOST_NAMED = 20;

function leftOut({ code, stderr }: { code: number; stderr: string }): string[] {
  if (code === 0) return [];
  const errors = stderr.split('\n').filter((line) => line.startsWith('error: '));
  const shown = errors.slice(0, MOST_NAMED).map((line) => line.slice('error: '.length));
  return [`Not everything could be committed; the rest stays in the tree: ${shown.join('; ')}.`];
}

function names(entries: readonly ChangedEntry[]): string {
  const shown = entries.slice(0, MOST_NAMED).map(({ path }) => Buffer.from(path, 'latin1').toString('utf8'));
  return entries.length > shown.length
    ? `${shown.join(', ')} and ${entries.length - shown.length} more`
    : shown.join(', ');
}

/** Give the index's entries back what the parent has there, or nothing. */
async function restore(engine: { gitDir: string; index: string }, entries: readonly ChangedEntry[]): Promise<void> {
  const lines = entries.map(({ oldMode, oldOid, path }) =>
    oldMode === GITLINK ? `${oldMode} ${oldOid}\t${path}\0` : `0 ${'0'.repeat(40)}\t${path}\0`,
  );
  await git({
    ...engine,
    args: ['update-index', '-z', '--index-info'],
    stdin: { text: Buffer.from(lines.join(''), 'latin1') },
  });
}
