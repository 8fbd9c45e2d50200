import type { Stats } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { engineGit, unlessStopped, type EngineCall } from '../git/git.ts';
import { MAX_RULES_BYTES, repairTree } from './repair-tree.ts';

/** Which tree to look at, and with which index; every field is needed. */
export interface TreeCall extends Pick<EngineCall, 'gitDir'> {
  readonly workTree: string;
  readonly index: string;
  /** Milliseconds after which a git that only looks at the tree is taken to hang, the first time. */
  readonly patienceMs: number;
}

/** A path at which the tree is not what the index says. */
export interface Difference {
  /** Its bytes as Latin-1, which loses none. */
  readonly path: string;
  /** What the index has there; null: nothing. */
  readonly entry: { readonly mode: string; readonly oid: string } | null;
  /** What git found: a file that it could add, or no longer the file that it knew. */
  readonly found: 'file' | 'gone';
  /** Null: nothing is there. */
  readonly stat: Stats | null;
}

/** How a tree differs from an index. Names for readers are UTF-8. */
export interface TreeDifferences {
  readonly differences: readonly Difference[];
  /** Nested repositories that git does not know. */
  readonly nested: readonly string[];
  /** Why some of the tree was not seen, and what had to be changed in it to see the rest. */
  readonly notes: readonly string[];
}

const MAX_OUTPUT_BYTES = 400 * 1024 * 1024;
const TIMEOUTS_MS = { first: 60_000, last: 900_000 } as const;
const AT_ONCE = 64;

/**
 * Look once at each file of a tree, by names, sizes and times: what is ignored is left out, and contents are read only of
 * files that were touched and have their old size. The index is brought up to date with what was found unchanged. git
 * gives up over folders that it may not enter, and waits for FIFOs; the tree is repaired then, and looked at again.
 */
export async function lookAtTree(call: TreeCall): Promise<TreeDifferences> {
  const notes: string[] = [];
  let seen = await statusOf(call, call.patienceMs);
  if (seen !== null && (await areAttributesOdd(call.workTree, seen.rows))) seen = null;
  for (const pass of ['first', 'last'] as const) {
    if (seen !== null) break;
    notes.push(...(await repairTree(call.workTree, MAX_RULES_BYTES[pass])));
    seen = await statusOf(call, TIMEOUTS_MS[pass]);
  }
  if (seen === null) return { differences: [], nested: [], notes: [...notes, 'git did not get through the tree'] };
  const nested = seen.rows.filter(({ path }) => path.endsWith('/')).map(({ path }) => path.slice(0, -1));
  const files = seen.rows.filter(({ path }) => !path.endsWith('/'));
  const { cutOff, among } = await repositoriesUnseen(call, files);
  const rows =
    cutOff.length === 0 ? files : files.filter(({ path, entry }) => entry !== null || !isBelow(path, cutOff));
  return {
    differences: await withStats(call.workTree, rows),
    nested: [...nested, ...cutOff].map(nameOf).toSorted(),
    notes: [...notes, ...seen.notes, ...among.map((folder) => `${nameOf(folder)}/.git is no part of a commit`)],
  };
}

/** A name as text, from its bytes as Latin-1. */
export const nameOf = (path: string): string => Buffer.from(path, 'latin1').toString('utf8');

/** The path of a file whose name is given as Latin-1. */
export const fileIn = (tree: string, path: string): Buffer =>
  Buffer.concat([Buffer.from(`${tree}/`), Buffer.from(path, 'latin1')]);

type Row = Omit<Difference, 'stat'>;

/** Null where git does not get through the tree. */
async function statusOf(call: TreeCall, timeoutMs: number): Promise<{ rows: Row[]; notes: string[] } | null> {
  const { gitDir, workTree, index } = call;
  const shape = ['--porcelain=v2', '-z', '--untracked-files=all', '--no-renames', '--ignore-submodules=all'];
  const status = engineGit({
    gitDir,
    workTree,
    index,
    args: ['status', ...shape],
    refreshIndex: true,
    timeoutMs,
    maxOutputBytes: MAX_OUTPUT_BYTES,
  });
  const said = await unlessStopped(status);
  if (typeof said === 'string') return null;
  const closed = said.stderr.split('\n').filter((line) => line.startsWith(CLOSED));
  if (!closed.every(saysTooLong)) return null;
  const notes = closed.map((line) => `${line.slice(CLOSED.length, CLOSED.length + MAX_NAME)}… (its path is too long)`);
  return { rows: rowsOf(said.stdout.toString('latin1')), notes };
}

const CLOSED = "warning: could not open directory '";
/** git cuts a message of more than 4 KiB, and with it the reason. */
const saysTooLong = (line: string): boolean => line.endsWith(': File name too long') || line.length > 4_000;
const MAX_NAME = 200;

/** `1 XY sub mH mI mW hH hI path` of a file that git knows, `? path` of one that it does not. */
function rowsOf(status: string): Row[] {
  return status.split('\0').flatMap((line): Row[] => {
    if (line.startsWith('? ')) return [{ path: line.slice(2), entry: null, found: 'file' }];
    const [, how = '', mode = '', oid = '', path = ''] = KNOWN.exec(line) ?? [];
    // Only staged: an agent's commit added it, and the file is as that commit has it.
    if (how === '' || how === '.') return [];
    return [{ path, entry: { mode, oid }, found: how === 'D' ? 'gone' : 'file' }];
  });
}

const KNOWN = /^1 .(.) \S+ \S+ (\S+) \S+ \S+ (\S+) ([^]+)$/;

/** With what is in the tree there. */
export async function withStats<T extends { readonly path: string }>(
  tree: string,
  rows: readonly T[],
): Promise<(T & { readonly stat: Stats | null })[]> {
  const found: (T & { readonly stat: Stats | null })[] = [];
  for (let at = 0; at < rows.length; at += AT_ONCE) {
    const some = rows.slice(at, at + AT_ONCE);
    found.push(...(await Promise.all(some.map(async (row) => ({ ...row, stat: await statIn(tree, row.path) })))));
  }
  return found;
}

async function statIn(tree: string, path: string): Promise<Stats | null> {
  return lstat(fileIn(tree, path)).catch(() => null);
}

/**
 * Folders with a `.git` that git does not take for repositories. Those of new files are `cutOff`: the `.git` leads nowhere,
 * as that of a worktree does once the agent's `.git` is gone. In the others, files that git knows are `among` what is there.
 */
async function repositoriesUnseen(
  call: TreeCall,
  rows: readonly Row[],
): Promise<{ cutOff: readonly string[]; among: readonly string[] }> {
  const { gitDir, workTree, index } = call;
  const found: string[] = [];
  for (const folder of foldersOf(rows)) {
    if (folder !== '' && (await statIn(workTree, `${folder}.git`)) !== null) found.push(folder.slice(0, -1));
  }
  if (found.length === 0) return { cutOff: [], among: [] };
  const { stdout } = await engineGit({
    gitDir,
    workTree,
    index,
    args: ['ls-files', '-z'],
    maxOutputBytes: MAX_OUTPUT_BYTES,
  });
  const known = `\0${stdout.toString('latin1')}`;
  const isAmong = (folder: string): boolean => known.includes(`\0${folder}/`);
  return { cutOff: found.filter((folder) => !isAmong(folder)), among: found.filter(isAmong) };
}

const isBelow = (path: string, folders: readonly string[]): boolean =>
  folders.some((folder) => path.startsWith(`${folder}/`));

/** Every folder on the way to a file, with a slash at its end; the top is empty. */
function foldersOf(rows: readonly Row[]): Set<string> {
  const folders = new Set(['']);
  for (const { path } of rows) {
    for (let end = path.lastIndexOf('/'); end > 0 && !folders.has(path.slice(0, end + 1));) {
      folders.add(path.slice(0, end + 1));
      end = path.lastIndexOf('/', end - 1);
    }
  }
  return folders;
}

/** git opens the attributes of every folder on the way to a file that it reads, and waits there for ever for a FIFO. */
async function areAttributesOdd(tree: string, rows: readonly Row[]): Promise<boolean> {
  for (const folder of foldersOf(rows)) {
    const stat = await statIn(tree, `${folder}.gitattributes`);
    if (stat !== null && (stat.isFIFO() || stat.size > MAX_RULES_BYTES.first)) return true;
  }
  return false;
}
