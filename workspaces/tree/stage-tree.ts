import { rm } from 'node:fs/promises';
import type { Changes } from '../../schemas/round/round.ts';
import { engineGit, engineGitText } from '../git/git.ts';
import type { NewObject } from '../git/search-objects.ts';
import type { RunPaths } from '../records/run-paths.ts';
import { changeIndex } from '../repository/engine-repository.ts';
import { addToIndex } from './add-to-index.ts';
import { asCheckedOut, hasAttributes } from './as-checked-out.ts';
import { lookAtTree, nameOf, withStats, type Difference, type TreeCall } from './look-at-tree.ts';
import { objectsOf, readChanges } from './read-changes.ts';
import { rejectedFiles } from './rejected-files.ts';
import { setupMadeIn } from './setup-made.ts';
import { dropStrayLinks, linksIn, lookAtLinks, repositoriesAmong, setSkipped } from './submodules.ts';
import { TOO_LARGE, tooLargeOf } from './too-large.ts';

/** The working tree as git can hold it. */
export interface StagedTree {
  /** The tree object. */
  readonly tree: string;
  /** Against the round's base, so with what the agent committed itself. */
  readonly changes: Changes;
  /** What the tree has and the base does not; null if an agent's own commits brought some of it. */
  readonly objects: readonly NewObject[] | null;
  readonly notes: readonly string[];
}

/** Looking takes milliseconds; seconds in a tree of hundreds of thousands of files that are new. */
const PATIENCE_MS = 5_000;

/**
 * Bring the tree into `index` (a copy of the engine's, whose stat data saves reading every file) and write it as a tree
 * object. Ignored files stay out, and so does what the setup command made, for as long as nobody changes it. Nested
 * repositories, changes in submodules and files that are too large stay out as well, and the notes name them: the
 * commits of the first two are in no repository of the user's.
 */
export async function stageTree(asked: {
  paths: RunPaths;
  base: string;
  /** What the checkpoint goes on from: the base, or the agent's last commit. */
  parent: string;
  index: string;
  /** The tree is another folder than the attempt was given: what is not in it was not deleted by anybody. */
  isReplaced: boolean;
}): Promise<StagedTree> {
  const { paths, base, parent, index, isReplaced } = asked;
  const gitDir = paths.repository;
  const onTree = { gitDir, index, workTree: paths.tree, patienceMs: PATIENCE_MS };
  const scratch = `${index}.checkout`;
  const baseLinks = await linksIn(onTree);
  const reshaped = parent === base ? [] : await readCommitted(onTree, { base, parent, scratch });

  const links = parent === base ? baseLinks : await linksIn(onTree);
  const submodules = await lookAtLinks(onTree, links);
  const repositories = await repositoriesAmong(onTree, submodules.full);
  await setSkipped(onTree, repositories, true);
  const { differences, nested, notes } = await lookAtTree(onTree);
  const all = [...differences, ...submodules.differences];
  const isLost = ({ found, stat }: Difference): boolean => isReplaced && found === 'gone' && stat === null;
  const setup = await setupMadeIn(paths);
  const candidates = all.filter((difference) => !isLost(difference) && !setup.isFile(difference));
  const tooLarge = tooLargeOf(candidates);
  const fitting = candidates.filter(({ path }) => !tooLarge.has(path));
  const unchanged = await asCheckedOut(onTree, fitting, scratch);
  const errors = await addToIndex(
    onTree,
    fitting.filter(({ path }) => !unchanged.has(path)),
  );
  await putBack(onTree, all.filter(isLost));
  await setSkipped(onTree, repositories, false);
  const stray = await dropStrayLinks(onTree, { links, base: baseLinks });

  const written = await writeTree({ paths, base, index });
  return {
    tree: written.tree,
    changes: written.changes,
    objects: parent === base ? objectsOf(written.entries) : null,
    notes: [
      ...note('Nested repositories, kept in the tree only', [
        ...nested.filter((name) => !setup.isNested(name)),
        ...stray.map(nameOf),
      ]),
      ...note(
        'Submodules; what changed in them is kept in the tree only',
        submodules.full.filter((path) => !stray.includes(path)).map(nameOf),
      ),
      ...note(
        "Rejected by git's own checks, and kept in the tree only",
        written.rejected.map(({ entry, why }) => `${nameOf(entry.path)} (${why})`),
      ),
      ...note(RESHAPED, reshaped),
      ...note(TOO_LARGE, [...tooLarge].map(nameOf).toSorted()),
      ...note('Not everything could be committed; the rest stays in the tree', [...notes, ...errors]),
    ],
  };
}

/** Check files out again, as far as nothing stands in their place. */
async function putBack(call: TreeCall, lost: readonly Difference[]): Promise<void> {
  if (lost.length === 0) return;
  const stdin = { text: Buffer.from(lost.map(({ path }) => `${path}\0`).join(''), 'latin1') };
  await engineGit({ ...call, args: ['checkout-index', '-q', '-u', '-z', '--stdin'], stdin, okCodes: [1, 128] });
}

/** Write the index as a tree, without files that git's own checks reject: they would keep it out of other repositories. */
async function writeTree({ paths, base, index }: { paths: RunPaths; base: string; index: string }) {
  const gitDir = paths.repository;
  const write = async () => {
    const tree = await engineGitText({ gitDir, index, args: ['write-tree'] });
    return { tree, ...(await readChanges({ gitDir, from: base, to: tree })) };
  };
  const written = await write();
  const scratch = `${index}.checked`;
  const rejected = await rejectedFiles({ ...written, paths, base, scratch });
  if (rejected.length === 0) return { ...written, rejected };
  const lines = rejected.map(({ entry: { path, before } }) =>
    before === null ? `0 ${'0'.repeat(40)}\t${path}\0` : `${before.mode} ${before.oid}\t${path}\0`,
  );
  const stdin = { text: Buffer.from(lines.join(''), 'latin1') };
  await changeIndex({ gitDir, index }, { args: ['update-index', '-z', '--index-info'], stdin });
  return { ...(await write()), rejected };
}

const RESHAPED =
  "Stored by the agent's commits in another way, with the bytes that were checked out; they stay as they were stored";

/**
 * Bring an agent's commit into the index of its base. Files that still hold what the base's checkout wrote keep the base's
 * entries: an agent's `git add` stores such a file anew if attributes would have it so. Returns their names.
 */
async function readCommitted(
  call: TreeCall,
  { base, parent, scratch }: { base: string; parent: string; scratch: string },
): Promise<string[]> {
  const before = (await hasAttributes(call.index)) ? await changedFiles(call, { from: base, to: parent }) : [];
  const unchanged = await asCheckedOut(call, before, scratch);
  await rm(scratch, { recursive: true, force: true });
  await changeIndex(call, { args: ['read-tree', '-i', '-m', parent] });
  const kept = before.filter(({ path }) => unchanged.has(path));
  if (kept.length === 0) return [];
  const lines = kept.map(({ entry, path }) => `${entry.mode} ${entry.oid}\t${path}\0`);
  const stdin = { text: Buffer.from(lines.join(''), 'latin1') };
  await changeIndex(call, { args: ['update-index', '-z', '--index-info'], stdin });
  return kept.map(({ path }) => nameOf(path));
}

/** Files that two commits hold in different ways, with what the earlier one has. */
async function changedFiles(call: TreeCall, { from, to }: { from: string; to: string }) {
  const args = ['diff-tree', '-r', '-z', '--raw', '--no-renames', '--no-abbrev', '--diff-filter=M', from, to, '--'];
  const tokens = (await engineGit({ gitDir: call.gitDir, args })).stdout.toString('latin1').split('\0');
  const rows = tokens.flatMap((token, at) => (at % 2 === 0 && token !== '' ? [[token, tokens[at + 1] ?? '']] : []));
  return withStats(
    call.workTree,
    rows.map(([raw = '', path = '']) => {
      const [mode = '', , oid = ''] = raw.slice(1).split(' ');
      return { path, entry: { mode, oid }, found: 'file' as const };
    }),
  );
}

const MOST_NAMED = 20;

function note(what: string, names: readonly string[]): string[] {
  if (names.length === 0) return [];
  const more = names.length > MOST_NAMED ? [`and ${names.length - MOST_NAMED} more`] : [];
  return [`${what}: ${[...names.slice(0, MOST_NAMED), ...more].join(', ')}.`];
}
