import { join } from 'node:path';
import { engineGit, GitError } from '../git/git.ts';
import type { RunPaths } from '../records/run-paths.ts';
import { objectsFolder } from '../repository/engine-repository.ts';
import { makeGitDir } from '../repository/make-git-dir.ts';
import type { ChangedEntry } from './read-changes.ts';

/** A file that git's own checks reject. */
export interface RejectedFile {
  readonly entry: ChangedEntry;
  readonly why: string;
}

/** Files that git's checks look into: `.gitmodules`, `.gitattributes`, and what other systems take for them. */
const LOOKED_INTO = /^(?:\.git|gi[0-9a-z]*~)/i;

const TREE = '040000';

/**
 * Of what a tree has and its base does not, the files that git's own checks (fsck) reject, for example a `.gitmodules`
 * whose url is an option. Most changes hold no file that these look into, and cost nothing.
 * @param scratch an empty folder for this alone
 */
export async function rejectedFiles(asked: {
  paths: RunPaths;
  base: string;
  tree: string;
  entries: readonly ChangedEntry[];
  scratch: string;
}): Promise<RejectedFile[]> {
  const { paths, base, tree, entries, scratch } = asked;
  const files = entries.filter(({ mode, oid, path }) => mode !== TREE && oid !== null && isLookedInto(path));
  if (files.length === 0) return [];
  const gitDir = join(scratch, 'git');
  const pack = join(scratch, 'checked.pack');
  makeGitDir({ folder: gitDir, branch: 'checked', commit: base, config: '[core]\n\tbare = true\n' });
  const trees = entries.filter(({ mode }) => mode === TREE);
  const oids = [tree, ...[...trees, ...files].flatMap(({ oid }) => (oid === null ? [] : [oid]))];
  await engineGit({
    gitDir: paths.repository,
    args: ['pack-objects', '--stdout', '-q'],
    stdin: { text: oids.map((oid) => `${oid}\n`).join('') },
    stdoutFile: pack,
  });
  try {
    const args = ['index-pack', '--stdin', '--strict'];
    await engineGit({ gitDir, alsoObjects: objectsFolder(paths), args, stdin: { file: pack } });
    return [];
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    const said = new Map(checksSaid(error.stderr).map(({ oid, why }) => [oid, why]));
    const named = files.flatMap((entry) => {
      const why = said.get(entry.oid ?? '');
      return why === undefined ? [] : [{ entry, why }];
    });
    // None of them named: what is known is only that one of them is at fault.
    return named.length > 0 ? named : files.map((entry) => ({ entry, why: error.stderr.trim().slice(0, 200) }));
  }
}

const isLookedInto = (path: string): boolean =>
  LOOKED_INTO.test(path.slice(path.lastIndexOf('/') + 1).replaceAll(/[^\x20-\x7e]/g, ''));

/** What git's checks say of objects. */
export function checksSaid(stderr: string): { oid: string; why: string }[] {
  return [...stderr.matchAll(/\bobject ([0-9a-f]{40}): (.+)$/gm)].map(([, oid = '', why = '']) => ({ oid, why }));
}
