import type { Changes } from '../../schemas/round/round.ts';
import { git } from '../git/git.ts';
import type { NewObject } from '../git/search-objects.ts';
import { nameOf } from './look-at-tree.ts';

const GITLINK = '160000';
const NOTHING = '0'.repeat(40);

/**
 * How a tree differs from a commit, and which objects of it the commit does not have in the same place. A submodule's
 * pointer that moved is a changed file without lines.
 */
export async function readChanges(asked: {
  gitDir: string;
  from: string;
  to: string;
}): Promise<{ changes: Changes; objects: NewObject[] }> {
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
  const { stdout } = await git({ gitDir, args: ['diff-tree', ...shape, '--ignore-submodules=none', from, to, '--'] });
  const tokens = stdout.toString('latin1').split('\0');
  const objects: NewObject[] = [];
  const links = new Set<string>();
  let at = 0;
  for (; tokens[at]?.startsWith(':') === true; at += 2) {
    const [oldMode, mode, , oid = ''] = (tokens[at] ?? '').slice(1).split(' ');
    const path = tokens[at + 1] ?? '';
    if (oldMode === GITLINK || mode === GITLINK) links.add(path);
    if (mode !== GITLINK && oid !== NOTHING) objects.push({ oid, path: nameOf(path) });
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
  return { changes, objects };
}
