import { lstat, readdir, readFile } from 'node:fs/promises';
import { engineGit } from '../git/git.ts';
import { changeIndex } from '../repository/engine-repository.ts';
import { fileIn, withStats, type Difference, type TreeCall } from './look-at-tree.ts';

type OnTree = Omit<TreeCall, 'patienceMs'>;

/** Paths of an index's submodules, as Latin-1, and the commits that it has there. */
export type Links = ReadonlyMap<string, string>;

/** The mode 160000 as an index stores it. Elsewhere these bytes are rare, and then only cost a look. */
const GITLINK_BYTES = Buffer.from([0, 0, 0xe0, 0]);
const GITLINK = '160000';

export async function linksIn({ gitDir, index }: OnTree): Promise<Links> {
  if (!(await readFile(index)).includes(GITLINK_BYTES)) return new Map();
  const { stdout } = await engineGit({ gitDir, index, args: ['ls-files', '--stage', '-z'] });
  const rows = stdout.toString('latin1').split('\0');
  return new Map(
    rows
      .filter((row) => row.startsWith(`${GITLINK} `))
      .map((row) => [row.slice(row.indexOf('\t') + 1), row.slice(GITLINK.length + 1, row.lastIndexOf(' '))]),
  );
}

/** What an agent made of submodules: `full` have something in their folder, of the others no folder is left. */
export async function lookAtLinks(
  { workTree }: OnTree,
  links: Links,
): Promise<{ full: string[]; differences: Difference[] }> {
  const rows = [...links].map(([path, oid]) => ({ path, entry: { mode: GITLINK, oid } }));
  const full: string[] = [];
  const differences: Difference[] = [];
  for (const { stat, ...row } of await withStats(workTree, rows)) {
    if (stat === null) differences.push({ ...row, found: 'gone', stat });
    else if (!stat.isDirectory()) differences.push({ ...row, found: 'file', stat });
    // A folder that cannot be read may hold anything.
    else if ((await readdir(fileIn(workTree, row.path)).catch(() => ['?'])).length > 0) full.push(row.path);
  }
  return { full, differences };
}

/** Of submodules, those that are repositories. git must not look into them: a FIFO in place of their HEAD would hold it. */
export async function repositoriesAmong({ workTree }: OnTree, paths: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const path of paths) {
    const isThere = await lstat(fileIn(workTree, `${path}/.git`)).then(
      () => true,
      () => false,
    );
    if (isThere) found.push(path);
  }
  return found;
}

export async function setSkipped(call: OnTree, paths: readonly string[], skipped: boolean): Promise<void> {
  if (paths.length === 0) return;
  const flag = skipped ? '--skip-worktree' : '--no-skip-worktree';
  await changeIndex(call, { args: ['update-index', flag, '-z', '--stdin'], stdin: names(paths) });
}

/**
 * Take out of the index what an agent's commits made submodules and the index's `.gitmodules` does not know, as `git add`
 * does with a nested repository: no clone could fetch them. Those of the base stay. Returns their paths.
 */
export async function dropStrayLinks(call: OnTree, { links, base }: { links: Links; base: Links }): Promise<string[]> {
  const fresh = [...links.keys()].filter((path) => !base.has(path));
  if (fresh.length === 0) return [];
  const { gitDir, index } = call;
  const args = ['config', '-z', '--blob', ':.gitmodules', '--get-regexp', String.raw`^submodule\..*\.path$`];
  const { code, stdout } = await engineGit({ gitDir, index, args, okCodes: [1, 128, 255] });
  const known = code === 0 ? stdout.toString('latin1').split('\0') : [];
  const paths = new Set(known.map((row) => row.slice(row.indexOf('\n') + 1).replace(/\/+$/, '')));
  const stray = fresh.filter((path) => !paths.has(path));
  if (stray.length > 0) {
    await changeIndex(call, { args: ['update-index', '--force-remove', '-z', '--stdin'], stdin: names(stray) });
  }
  return stray;
}

const names = (paths: readonly string[]): { text: Buffer } => ({
  text: Buffer.from(paths.map((path) => `${path}\0`).join(''), 'latin1'),
});
