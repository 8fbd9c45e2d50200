import type { Stats } from 'node:fs';
import { lstat, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { durationText } from '../../schemas/text/duration.ts';
import { RalphError } from '../../schemas/errors/index.ts';
import { engineGit, GitError, unlessStopped, type GitOutput } from '../git/git.ts';
import { fileIn, nameOf, type Difference, type TreeCall } from './look-at-tree.ts';
import { MAX_RULES_BYTES, repairTree } from './repair-tree.ts';

const PATIENCE_MS = 60_000;
const TIMEOUT_MS = 900_000;
/** Files that git cannot read, one after the other; beyond, what the others hold stays in the tree as well. */
const MOST_UNREADABLE = 100;
const RAW_ATTRIBUTES = '* -text -eol -ident -filter -working-tree-encoding\n';

/**
 * Bring differences of a tree into the index, and look at nothing else. Returns what could not be brought in and why,
 * for readers. git ends at the first file that it cannot read: that one is left out, and the others are tried again. If
 * the files do not fit their attributes, or git does not get past a file of rules, the tree is repaired.
 */
export async function addToIndex(call: TreeCall, differences: readonly Difference[]): Promise<string[]> {
  const { gone, odd, files, unreadable } = await sorted(call.workTree, differences);
  const notes = unreadable.map((path) => `${nameOf(path)} cannot be read, or is no file`);
  if (odd.length > 0)
    await engineGit({ ...call, args: ['update-index', '--force-remove', '-z', '--stdin'], stdin: names(odd) });
  const left = new Set(files);
  // What is gone goes first: a file may have become a folder, or the other way round.
  const update = (timeoutMs: number) =>
    engineGit({
      ...call,
      args: ['update-index', '--add', '--remove', '--replace', '-z', '--stdin'],
      stdin: names([...gone, ...left]),
      timeoutMs,
    });
  if (gone.length + left.size === 0) return notes;
  for (const timeoutMs of [PATIENCE_MS, TIMEOUT_MS]) {
    for (let refusals = 0; refusals <= MOST_UNREADABLE; refusals += 1) {
      const said = await tried(update(timeoutMs));
      // Left by a killed git; the index is this call's own.
      await rm(`${call.index}.lock`, { force: true });
      if (said !== 'timed-out' && !(said instanceof GitError)) return [...notes, ...ignoredBy(said.stderr)];
      const refused = said === 'timed-out' ? null : rejectedBy(said.stderr, left);
      if (refused === null) break;
      left.delete(refused.path);
      notes.push(refused.why);
    }
    notes.push(...(await repairTree(call.workTree, MAX_RULES_BYTES.last)));
  }
  return [...notes, ...(await withRawAttributes(call, () => update(TIMEOUT_MS)))];
}

const names = (paths: readonly string[]): { text: Buffer } => ({
  text: Buffer.from(paths.map((path) => `${path}\0`).join(''), 'latin1'),
});

/** `odd`: gone, but something else is in its place, or in the place of its folder. */
async function sorted(tree: string, differences: readonly Difference[]) {
  const links = new Map<string, boolean>();
  const into = { gone: [] as string[], odd: [] as string[], files: [] as string[], unreadable: [] as string[] };
  for (const { path, found, stat } of differences) {
    if (found === 'gone') {
      const isOdd = stat !== null || (await isBeyondLink(tree, path, links));
      (isOdd ? into.odd : into.gone).push(path);
    } else if (stat === null) into.gone.push(path);
    else (isReadable(stat) ? into.files : into.unreadable).push(path);
  }
  return into;
}

const isReadable = (stat: Stats): boolean =>
  stat.isSymbolicLink() || (stat.isFile() && ((stat.mode & 0o400) !== 0 || process.getuid?.() === 0));

async function isBeyondLink(tree: string, path: string, known: Map<string, boolean>): Promise<boolean> {
  for (let end = path.indexOf('/'); end !== -1; end = path.indexOf('/', end + 1)) {
    const folder = path.slice(0, end);
    let isLink = known.get(folder);
    if (isLink === undefined) {
      isLink = await lstat(fileIn(tree, folder)).then(
        (stat) => stat.isSymbolicLink(),
        () => false,
      );
      known.set(folder, isLink);
    }
    if (isLink) return true;
  }
  return false;
}

async function tried(command: Promise<GitOutput>): Promise<GitOutput | GitError | 'timed-out'> {
  try {
    return await command;
  } catch (error) {
    if (error instanceof GitError) return error;
    if (error instanceof RalphError && error.code === 'git-timed-out') return 'timed-out';
    throw error;
  }
}

/** The file at which git gave up, of those that it was given; null if it was something else. */
function rejectedBy(stderr: string, given: ReadonlySet<string>): { path: string; why: string } | null {
  const [, text] = /^fatal: Unable to process path ([^]*?)\n?$/m.exec(stderr) ?? [];
  const path = text === undefined ? undefined : [...given].find((each) => nameOf(each) === text);
  if (path === undefined) return null;
  return { path, why: /^error: (.*)$/m.exec(stderr)?.[1] ?? `git could not read ${nameOf(path)}` };
}

const ignoredBy = (stderr: string): string[] =>
  [...stderr.matchAll(/^Ignoring path (.*)$/gm)].map(([, path = '']) => `git does not take the name ${path}`);

async function withRawAttributes(call: TreeCall, update: () => Promise<GitOutput>): Promise<string[]> {
  const attributes = join(call.gitDir, 'info', 'attributes');
  await mkdir(join(call.gitDir, 'info'), { recursive: true });
  await writeFile(attributes, RAW_ATTRIBUTES);
  try {
    const said = await unlessStopped(update());
    if (said === 'timed-out') return [`git did not get through the tree within ${durationText(TIMEOUT_MS)}`];
    if (said === 'gave-up') return ['git could not read the files that are new'];
    return [...ignoredBy(said.stderr), "the tree's .gitattributes were not followed"];
  } finally {
    await rm(attributes, { force: true });
  }
}
