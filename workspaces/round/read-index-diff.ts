import type { Changes } from '../../schemas/round/round.ts';
import { git } from '../git/git.ts';

/** A path whose entry in the index differs. `path` holds the name's bytes as latin1, which loses none. */
export interface ChangedEntry {
  readonly oldMode: string;
  readonly mode: string;
  readonly oldOid: string;
  readonly path: string;
}

export const NO_CHANGES: Changes = { files: 0, insertions: 0, deletions: 0 };

const GITLINK = '160000';

/** How an index differs from a commit. `changes` leaves submodules out: their lines are no lines of the user's. */
export async function readIndexDiff(asked: {
  gitDir: string;
  index: string;
  against: string;
}): Promise<{ entries: ChangedEntry[]; changes: Changes }> {
  const { gitDir, index, against } = asked;
  const shape = ['--raw', '--numstat', '-z', '--no-renames', '--no-abbrev', '--no-ext-diff', '--no-textconv'];
  const { stdout } = await git({
    gitDir,
    index,
    args: ['diff-index', '--cached', ...shape, '--ignore-submodules=none', against, '--'],
  });
  const tokens = stdout.toString('latin1').split('\0');
  const entries: ChangedEntry[] = [];
  let at = 0;
  for (; tokens[at]?.startsWith(':') === true; at += 2) {
    const [oldMode = '', mode = '', oldOid = ''] = (tokens[at] ?? '').slice(1).split(' ');
    entries.push({ oldMode, mode, oldOid, path: tokens[at + 1] ?? '' });
  }
  const links = new Set(entries.filter((entry) => entry.mode === GITLINK).map((entry) => entry.path));
  const changes = { ...NO_CHANGES };
  for (const token of tokens.slice(at)) {
    const [added = '', removed = '', ...name] = token.split('\t');
    if (name.length === 0 || links.has(name.join('\t'))) continue;
    changes.files += 1;
    // "-" for a binary file, which has no lines.
    changes.insertions += Number.parseInt(added, 10) || 0;
    changes.deletions += Number.parseInt(removed, 10) || 0;
  }
  return { entries, changes };
}
