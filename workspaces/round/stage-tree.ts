import type { Changes } from '../../schemas/round/round.ts';
import { addAll } from './add-all.ts';
import { TOO_LARGE } from './find-too-large.ts';
import { git, gitText } from '../git/git.ts';
import { NO_CHANGES, readIndexDiff, type ChangedEntry } from './read-index-diff.ts';
import type { RunPaths } from '../records/run-paths.ts';

/** The working tree as git can hold it. */
export interface Staged {
  /** The tree object; null where it is the parent's. */
  readonly tree: string | null;
  /** Against `base`, so with what the agent committed itself. */
  readonly changes: Changes;
  readonly notes: readonly string[];
}

const GITLINK = '160000';
/** Looking takes milliseconds; seconds in a tree of hundreds of thousands of files that are new. */
const PATIENCE_MS = 5_000;

/**
 * Bring the tree into `index` (a copy of the engine's, whose stat data saves reading every file) and write it as a tree
 * object. Ignored files stay out; nested repositories, what changed in submodules and files that are too large do as well,
 * and are named in the notes: the commits that the first two are at are in no repository of the user's.
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
  const leftOut = await addAll({ ...onTree, patienceMs: PATIENCE_MS });

  const writeTree = (): Promise<string> => gitText({ ...engine, args: ['write-tree'] });
  const [ofParent, asAdded] = await Promise.all([readIndexDiff({ ...engine, against: parent }), writeTree()]);
  const links = ofParent.entries.filter((entry) => entry.mode === GITLINK);
  if (links.length > 0) await restore(engine, links);
  const unchanged = ofParent.entries.length === links.length;
  const tree = unchanged ? null : links.length > 0 ? await writeTree() : asAdded;
  const changes = parent === base ? ofParent.changes : (await readIndexDiff({ ...engine, against: base })).changes;
  const notes = [
    ...note('Nested repositories, kept in the tree only', [...links.map(nameOf), ...leftOut.nested]),
    ...note('Submodules; what changed in them is kept in the tree only', leftOut.submodules),
    ...note(TOO_LARGE, leftOut.tooLarge),
    ...note('Not everything could be committed; the rest stays in the tree', leftOut.errors),
  ];
  return { tree, changes: unchanged && parent === base ? NO_CHANGES : changes, notes };
}

const MOST_NAMED = 20;

function note(what: string, names: readonly string[]): string[] {
  if (names.length === 0) return [];
  const more = names.length > MOST_NAMED ? [`and ${names.length - MOST_NAMED} more`] : [];
  return [`${what}: ${[...names.slice(0, MOST_NAMED), ...more].join(', ')}.`];
}

function nameOf({ path }: ChangedEntry): string {
  return Buffer.from(path, 'latin1').toString('utf8');
}

/** Give the index's entries back what the parent has there, or nothing. */
async function restore(engine: { gitDir: string; index: string }, entries: readonly ChangedEntry[]): Promise<void> {
  const lines = entries.map(({ oldMode, oldOid, path }) =>
    oldMode === '000000' ? `0 ${'0'.repeat(40)}\t${path}\0` : `${oldMode} ${oldOid}\t${path}\0`,
  );
  const stdin = { text: Buffer.from(lines.join(''), 'latin1') };
  await git({ ...engine, args: ['update-index', '-z', '--index-info'], stdin });
}
