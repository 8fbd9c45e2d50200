import type { Changes } from '../../schemas/round/round.ts';
import { engineGit } from '../git/git.ts';
import type { NewObject } from '../git/search-objects.ts';
import { nameOf } from './look-at-tree.ts';

const GITLINK = '160000';
const NOTHING = '0'.repeat(40);

/** A file or a folder that a tree has in another way than a commit. */
export interface ChangedEntry {
  /** Its bytes as Latin-1. */
  readonly path: string;
  readonly mode: string;
  /** Null: it is gone. */
  readonly oid: string | null;
  /** What the commit has there; null: nothing. */
  readonly before: { readonly mode: string; readonly oid: string } | null;
}

/**
 * How a tree differs from a commit, entry by entry. A submodule's pointer that moved is a changed file without lines.
 */
export async function readChanges(asked: {
  gitDir: string;
  from: string;
  to: string;
}): Promise<{ changes: Changes; entries: ChangedEntry[] }> {
  const { gitDir, from, to } = asked;
  const shape = [
    '-r',
    '-t',
    '--raw',
    '--numstat',
    '-z',
    '--no-renames',
    '--no-abbrev',
    '--no-ext-diff',
    '--no-textconv',
  ];
  const { stdout } = await engineGit({
    gitDir,
    args: ['diff-tree', ...shape, '--ignore-submodules=none', from, to, '--'],
  });
  const tokens = stdout.toString('latin1').split('\0');
  const entries: ChangedEntry[] = [];
  const links = new Set<string>();
  let at = 0;
  for (; tokens[at]?.startsWith(':') === true; at += 2) {
    const [oldMode = '', mode = '', oldOid = '', oid = ''] = (tokens[at] ?? '').slice(1).split(' ');
    const path = tokens[at + 1] ?? '';
    if (oldMode === GITLINK || mode === GITLINK) links.add(path);
    const before = oldOid === NOTHING ? null : { mode: oldMode, oid: oldOid };
    entries.push({ path, mode, oid: oid === NOTHING ? null : oid, before });
  }
  const changes = { files: 0, insertions: 0, deletions: 0 };
  for (const token of tokens.slice(at)) {
    const [added = '', removed = '', ...name] = token.split('\t');
    if (name.length === 0) continue;
    changes.files += 1;
    if (links.has(name.join('\t'))) continue;
    // "-" for a binary file, which has no lines.
    changes.insertions += Number.parseInt(added, 10) || 0;
    changes.deletions += Number.parseInt(removed, 10) || 0;
  }
  return { changes, entries };
}

/** The objects that entries name. A submodule's commit is none of the repository's. */
export const objectsOf = (entries: readonly ChangedEntry[]): NewObject[] =>
  entries.flatMap(({ path, mode, oid }) => (oid === null || mode === GITLINK ? [] : [{ oid, path: nameOf(path) }]));
