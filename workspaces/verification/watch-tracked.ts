import { join } from 'node:path';
import { copyIndex, engineIndex, scratchFolder } from '../repository/engine-repository.ts';
import { asCheckedOut } from '../tree/as-checked-out.ts';
import { lookAtTree } from '../tree/look-at-tree.ts';
import { tooLargeOf } from '../tree/too-large.ts';
import { engineGit, GitError } from '../git/git.ts';
import { removeTree } from '../files/remove-tree.ts';
import type { RunPaths } from '../records/run-paths.ts';

const PATIENCE_MS = 5_000;

/** A call of git's on the tree, with a copy of the engine's index. */
interface TreeAndIndex {
  readonly gitDir: string;
  readonly workTree: string;
  readonly index: string;
}

/**
 * Hold the tracked files of a run's tree to its last checkpoint while gates run in it. If they check a completion
 * claim, what differs is put back first: a gate whose worker was lost left it so, or a setup. In a baseline the setup
 * made it, and it stays.
 * @returns asks, when nothing runs in the tree, which of them differ from the checkpoint, and puts them back
 */
export async function watchTracked(
  paths: RunPaths,
  { isBaseline }: { isBaseline: boolean },
): Promise<() => Promise<string[]>> {
  const found = await onTree(paths, differing);
  const known = new Set(isBaseline ? found : []);
  // A file too large for the checkpoint is the agent's own, and this is its only copy.
  const isKept = found.length === 0 ? () => false : await onTree(paths, leftOut);
  const kept = new Set(found.filter((name) => !known.has(name) && isKept(name)));
  const back = (names: readonly string[]) =>
    onTree(paths, (look) =>
      putBack(
        look,
        names.filter((name) => !kept.has(name)),
      ),
    );
  await back(found.filter((name) => !known.has(name)));
  return async () => {
    const changed = (await onTree(paths, differing)).filter((name) => !known.has(name));
    await back(changed);
    return changed.map((name) => Buffer.from(name, 'latin1').toString('utf8'));
  };
}

async function onTree<T>(paths: RunPaths, work: (look: TreeAndIndex) => Promise<T>): Promise<T> {
  const scratch = scratchFolder(paths);
  try {
    const index = join(scratch, 'index');
    copyIndex(engineIndex(paths), index);
    return await work({ gitDir: paths.repository, workTree: paths.tree, index });
  } finally {
    await removeTree(scratch);
  }
}

/** Names as bytes in Latin-1, which loses none. */
async function differing(look: TreeAndIndex): Promise<string[]> {
  const { differences } = await lookAtTree({ ...look, patienceMs: PATIENCE_MS });
  const known = differences.filter(({ entry }) => entry !== null);
  const unchanged = await asCheckedOut(look, known, `${look.index}.checkout`);
  return known.map(({ path }) => path).filter((path) => !unchanged.has(path));
}

/** As far as possible: what still differs is found the next time. */
async function putBack(look: TreeAndIndex, names: readonly string[]): Promise<void> {
  if (names.length === 0) return;
  const stdin = { text: Buffer.from(names.map((name) => `${name}\0`).join(''), 'latin1') };
  await engineGit({ ...look, args: ['checkout-index', '-f', '-z', '--stdin'], stdin }).catch((error: unknown) => {
    if (!(error instanceof GitError)) throw error;
  });
}

/** Whether a checkpoint leaves a file out for its size, alone or with others. */
async function leftOut(look: TreeAndIndex): Promise<(name: string) => boolean> {
  const { differences } = await lookAtTree({ ...look, patienceMs: PATIENCE_MS });
  const tooLarge = tooLargeOf(differences);
  return (name) => tooLarge.has(name);
}
