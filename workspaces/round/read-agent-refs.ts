import { chmod, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isOid } from '../repository/engine-repository.ts';
import { fileKind } from '../files/file-kind.ts';
import { readUntrustedFile } from '../files/read-untrusted-file.ts';
import type { RunPaths } from '../records/run-paths.ts';

/** What the quarantined repository of an agent says, read as plain text files: no git ever opens it. */
export interface AgentRefs {
  /** The commit the agent was on; null where HEAD names none. */
  readonly head: string | null;
  /** All refs but symbolic ones, by full name. Stash entries are `refs/stash/0` (the newest), `refs/stash/1` … */
  readonly refs: ReadonlyMap<string, string>;
  /** The operation that the agent began and did not finish. */
  readonly unfinished: 'rebase' | 'merge' | 'cherry-pick' | 'revert' | 'bisect' | null;
}

const MAX_REFS = 1000;
const MAX_DEPTH = 16;
const MAX_NAME = 200;
/** Files and folders that are looked at: an agent may have made millions. */
const MAX_VISITS = 20_000;
const SMALL = 4096;
const LARGE = 16 * 1024 * 1024;

const UNFINISHED = [
  ['rebase-merge', 'rebase'],
  ['rebase-apply', 'rebase'],
  ['MERGE_HEAD', 'merge'],
  ['CHERRY_PICK_HEAD', 'cherry-pick'],
  ['REVERT_HEAD', 'revert'],
  ['BISECT_LOG', 'bisect'],
] as const;

/** `seeds`: refs that the engine put there; left out where they are as they were. */
export async function readAgentRefs(paths: RunPaths): Promise<AgentRefs> {
  const root = paths.quarantine;
  const seeds = parsePacked(readText(paths.repository, 'packed-refs', LARGE));
  const all = parsePacked(readText(root, 'packed-refs', LARGE));
  await readLoose({ root, name: 'refs', depth: 0, into: all, visits: { left: MAX_VISITS } });
  const head = resolveHead(readText(root, 'HEAD', SMALL), all);
  all.delete('refs/stash');
  const changed = [...all].filter(([name, oid]) => seeds.get(name) !== oid);
  const refs = new Map([...changed.slice(0, MAX_REFS), ...(await readStash(root))]);
  return { head, refs, unfinished: findUnfinished(root) };
}

function findUnfinished(root: string): AgentRefs['unfinished'] {
  for (const [file, what] of UNFINISHED) {
    if (fileKind(join(root, file)) !== 'missing') return what;
  }
  return null;
}

function resolveHead(text: string, refs: ReadonlyMap<string, string>): string | null {
  const value = text.trim();
  if (isOid(value)) return value;
  return refs.get(/^ref: (refs\/.+)$/.exec(value)?.[1] ?? '') ?? null;
}

function parsePacked(text: string): Map<string, string> {
  const refs = new Map<string, string>();
  for (const line of text.split('\n')) {
    const oid = line.slice(0, 40);
    const name = line.slice(41);
    if (isOid(oid) && line[40] === ' ' && isRefName(name)) refs.set(name, oid);
  }
  return refs;
}

async function readLoose(walk: {
  root: string;
  name: string;
  depth: number;
  into: Map<string, string>;
  visits: { left: number };
}): Promise<void> {
  const { root, name, depth, into, visits } = walk;
  if (depth > MAX_DEPTH || name.length > MAX_NAME || !(await isOpenFolder(join(root, name)))) return;
  for (const entry of await readdir(join(root, name), { withFileTypes: true })) {
    const inner = `${name}/${entry.name}`;
    visits.left -= 1;
    if (visits.left < 0) return;
    if (entry.isDirectory()) await readLoose({ root, name: inner, depth: depth + 1, into, visits });
    else if (entry.isFile() && isRefName(inner)) {
      const oid = readText(root, inner, SMALL).trim();
      if (isOid(oid)) into.set(inner, oid);
    }
  }
}

/** Whether a folder is there. Its owner may have closed it to themselves. */
async function isOpenFolder(path: string): Promise<boolean> {
  if (fileKind(path) !== 'folder') return false;
  await chmod(path, 0o700);
  return true;
}

/** The reflog of refs/stash, oldest first, is the list of its entries. */
async function readStash(root: string): Promise<[string, string][]> {
  for (const folder of ['logs', 'logs/refs']) if (!(await isOpenFolder(join(root, folder)))) break;
  const lines = readText(root, 'logs/refs/stash', LARGE)
    .split('\n')
    .filter((line) => line !== '');
  const top = readText(root, 'refs/stash', SMALL).trim();
  const entries = lines.map((line) => line.slice(41, 81)).toReversed();
  if (isOid(top) && !entries.includes(top)) entries.unshift(top);
  return entries
    .filter((oid) => isOid(oid))
    .slice(0, MAX_REFS)
    .map((oid, at) => [`refs/stash/${at}`, oid]);
}

function readText(root: string, name: string, maxBytes: number): string {
  const found = readUntrustedFile({ file: join(root, name), root, maxBytes });
  return found.kind === 'read' ? found.bytes.toString('utf8') : '';
}

/** A subset of what git allows: no control characters, no name that a file system or a revision could mistake. */
function isRefName(name: string): boolean {
  if (!name.startsWith('refs/') || name.length > MAX_NAME || /[\p{Cc}\s~^:?*[\\\uFFFD]|\.\.|@\{/u.test(name))
    return false;
  return name.split('/').every((part) => part !== '' && !/^[.-]|\.$|\.lock$/.test(part));
}
