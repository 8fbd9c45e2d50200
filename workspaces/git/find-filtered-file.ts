import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { engineGit } from './git.ts';
import type { Settings } from './repository-settings.ts';
import type { Shadow } from './shadow-repository.ts';

/** One line of `git ls-tree -r -z`. */
export interface TreeEntry {
  readonly mode: string;
  readonly oid: string;
  readonly path: string;
}

export async function listTree(shadow: Shadow, commit: string): Promise<TreeEntry[]> {
  const { stdout } = await engineGit({ ...shadow, args: ['ls-tree', '-r', '-z', commit] });
  const rows = stdout.toString('utf8').split('\0');
  return rows.slice(0, -1).map((row) => {
    const [mode = '', , oid = ''] = row.slice(0, row.indexOf('\t')).split(' ');
    return { mode, oid, path: row.slice(row.indexOf('\t') + 1) };
  });
}

/** Filters that are rejected even if this machine does not have them: without the filter, their files are useless. */
const ALWAYS = new Set(['lfs', 'git-crypt']);

/**
 * The first file of a commit that the user's git would pass through a content filter. A filter that nobody configured
 * does nothing in the user's checkout either, and is no reason.
 */
export async function findFilteredFile(asked: {
  shadow: Shadow;
  commit: string;
  entries: readonly TreeEntry[];
  /** The repository's own `info/attributes`. */
  attributes: string;
  settings: Settings;
}): Promise<{ filter: string; file: string } | null> {
  const { shadow, commit, entries, attributes, settings } = asked;
  const files = entries.filter((entry) => entry.path === '.gitattributes' || entry.path.endsWith('/.gitattributes'));
  if (!attributes.includes('filter') && !(await anySaysFilter(shadow, files))) return null;
  await writeFile(join(shadow.gitDir, 'info', 'attributes'), attributes);
  await engineGit({ ...shadow, args: ['read-tree', commit] });
  const { stdout } = await engineGit({
    ...shadow,
    args: ['check-attr', '--cached', '--stdin', '-z', 'filter'],
    stdin: { text: entries.map((entry) => `${entry.path}\0`).join('') },
  });
  const tokens = stdout.toString('utf8').split('\0');
  for (let at = 0; at + 2 < tokens.length; at += 3) {
    const [file = '', , filter = ''] = tokens.slice(at, at + 3);
    if (['unspecified', 'unset', 'set', ''].includes(filter)) continue;
    const configured = ['clean', 'smudge', 'process'].some((part) => settings.has(`filter.${filter}.${part}`));
    if (ALWAYS.has(filter) || configured) return { filter, file };
  }
  return null;
}

async function anySaysFilter(shadow: Shadow, files: readonly TreeEntry[]): Promise<boolean> {
  if (files.length === 0) return false;
  const stdin = { text: files.map((entry) => `${entry.oid}\n`).join('') };
  const { stdout } = await engineGit({ ...shadow, args: ['cat-file', '--batch'], stdin });
  return stdout.includes('filter');
}
