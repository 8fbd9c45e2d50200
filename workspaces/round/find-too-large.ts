import { lstat } from 'node:fs/promises';
import { changedPaths } from './changed-paths.ts';
import { MAX_RULES_BYTES, mendTree } from './mend-tree.ts';

const MIB = 1024 * 1024;
/** Hosts of git refuse larger files. Reading one would hold the checkpoint, and a cancel with it. */
const MAX_FILE_BYTES = 100 * MIB;
const MAX_CHECKPOINT_BYTES = 2048 * MIB;
/** Each is written, and flushed: tens of seconds for as many. */
const MAX_FILES = 200_000;
/** git compares every path with each that is left out. */
const MOST_NAMES = 1000;
const TIMEOUT_MS = 60_000;
const AT_ONCE = 64;

export const TOO_LARGE = `Too large for a commit (over ${MAX_FILE_BYTES / MIB} MiB a file, or ${MAX_CHECKPOINT_BYTES / MIB / 1024} GiB or ${MAX_FILES.toLocaleString('en-US')} files a checkpoint); what is new in them is kept in the tree only`;

interface Looked {
  /** What to leave out, as bytes in Latin-1; files, or folders where there are too many; "" for everything. */
  readonly names: readonly string[];
  /** What had to be mended in the tree to get through it. */
  readonly mended: readonly string[];
}

/** Find the files that are too large, or too many, to be committed, by their sizes alone. */
export async function findTooLarge(call: {
  gitDir: string;
  workTree: string;
  index: string;
  /** Milliseconds after which git, which only looks, is taken to hang. */
  patienceMs: number;
}): Promise<Looked> {
  const { workTree, patienceMs } = call;
  const mended: string[] = [];
  let paths = await changedPaths(call, patienceMs);
  if (paths !== null && (await areAttributesOdd(workTree, paths))) paths = null;
  for (const maxRulesBytes of Object.values(MAX_RULES_BYTES)) {
    if (paths !== null) break;
    mended.push(...(await mendTree(workTree, maxRulesBytes)));
    paths = await changedPaths(call, TIMEOUT_MS);
  }
  return { names: byFolder(tooLargeOf(await sizesOf(workTree, paths ?? []))), mended };
}

type Sized = readonly [path: string, bytes: number];

/** What is gone costs nothing; what is no file, nearly nothing. */
async function sizesOf(tree: string, paths: readonly string[]): Promise<Sized[]> {
  const sized: Sized[] = [];
  for (let at = 0; at < paths.length; at += AT_ONCE) {
    const some = paths.slice(at, at + AT_ONCE);
    const found = await Promise.all(some.map(async (path) => ({ path, stat: await statIn(tree, path) })));
    for (const { path, stat } of found) if (stat !== null) sized.push([path, stat.isFile() ? stat.size : 0]);
  }
  return sized;
}

async function statIn(tree: string, path: string) {
  return lstat(Buffer.concat([Buffer.from(`${tree}/`), Buffer.from(path, 'latin1')])).catch(() => null);
}

/** The largest files, and of the others the last ones. */
function tooLargeOf(files: readonly Sized[]): string[] {
  let sum = 0;
  const bySize = files.toSorted(([, a], [, b]) => a - b);
  const first = bySize.findIndex(([, bytes]) => {
    sum += bytes;
    return bytes > MAX_FILE_BYTES || sum > MAX_CHECKPOINT_BYTES;
  });
  const large = new Set(first === -1 ? [] : bySize.slice(first).map(([path]) => path));
  const others = files.filter(([path]) => !large.has(path)).map(([path]) => path);
  return [...large, ...others.slice(MAX_FILES)];
}

/** Where there are too many, the folders they are in. */
function byFolder(paths: readonly string[]): string[] {
  let names = [...new Set(paths)];
  while (names.length > MOST_NAMES && names.some((name) => name.includes('/'))) {
    names = [...new Set(names.map((name) => (name.includes('/') ? name.slice(0, name.lastIndexOf('/')) : name)))];
  }
  return names.length > MOST_NAMES ? [''] : names.toSorted();
}

/** git opens the attributes of every folder on the way to a file that it reads, and waits there for ever for a FIFO. */
async function areAttributesOdd(tree: string, paths: readonly string[]): Promise<boolean> {
  const folders = new Set(['']);
  for (const path of paths) {
    for (let end = path.lastIndexOf('/'); end > 0 && !folders.has(path.slice(0, end + 1));) {
      folders.add(path.slice(0, end + 1));
      end = path.lastIndexOf('/', end - 1);
    }
  }
  for (const folder of folders) {
    const stat = await statIn(tree, `${folder}.gitattributes`);
    if (stat !== null && (stat.isFIFO() || stat.size > MAX_RULES_BYTES.first)) return true;
  }
  return false;
}
