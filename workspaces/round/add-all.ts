import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { durationText } from '../../schemas/text/duration-text.ts';
import { fileKind } from '../files/file-kind.ts';
import { findTooLarge } from './find-too-large.ts';
import { git, GitError, type GitCall } from '../git/git.ts';
import { MAX_RULES_BYTES, mendTree } from './mend-tree.ts';
import { unlessStopped } from './unless-stopped.ts';

/** Where and with which index to add; every field is needed. */
export interface AddCall extends Pick<GitCall, 'gitDir'> {
  readonly workTree: string;
  readonly index: string;
  /** Milliseconds after which a git that only looks at the tree is taken to hang, the first time. */
  readonly patienceMs: number;
}

/** What could not be added, by name. */
export interface LeftOut {
  readonly submodules: readonly string[];
  readonly nested: readonly string[];
  /** Files, or the folders of too many of them. */
  readonly tooLarge: readonly string[];
  /** Other reasons, as git gives them. */
  readonly errors: readonly string[];
}

const PATIENCE_MS = 60_000;
const TIMEOUT_MS = 900_000;
const RAW_ATTRIBUTES = '* -text -eol -ident -filter -working-tree-encoding\n';

/**
 * Bring everything in the tree that is neither ignored nor too large into the index, whatever the tree holds. git gives
 * up for good over folders it may not enter, over FIFOs where it wants to read and over attributes that the files do
 * not fit: each is mended and tried again.
 */
export async function addAll(call: AddCall): Promise<LeftOut> {
  const submodules = await submodulesOf(call);
  await setSkipped(call, submodules, true);
  const { names, mended } = await findTooLarge(call);
  const everything = names.includes('');
  const stderr = everything ? '' : await addInSpiteOf(call, names);
  await setSkipped(call, submodules, false);
  const errors = stderr.split('\n').filter((line) => line.startsWith('error: '));
  const nested = errors.flatMap((line) => NESTED.exec(line)?.[1] ?? []);
  // Newer versions of git say it twice.
  const again = new Set(nested.map((name) => `error: unable to index file '${name}/'`));
  const others = errors
    .filter((line) => !NESTED.test(line) && !again.has(line))
    .map((line) => line.slice('error: '.length));
  const tooLarge = everything ? ['all files'] : names.map((name) => Buffer.from(name, 'latin1').toString('utf8'));
  return { submodules, nested, tooLarge, errors: [...mended, ...others] };
}

const NESTED = /^error: '(.*)\/' does not have a commit checked out$/;

/** What git says on stderr. Where it does not get through, its last words: the files stay in the tree then. */
async function addInSpiteOf(call: AddCall, without: readonly string[]): Promise<string> {
  const add = { ...call, ...allBut(without), okCodes: [1] };
  const first = await unlessStopped(git({ ...add, timeoutMs: PATIENCE_MS }));
  if (typeof first !== 'string') return first.stderr;
  // Left by a killed git; the index is this call's own.
  await rm(`${call.index}.lock`, { force: true });
  const mended = await mendTree(call.workTree, MAX_RULES_BYTES.last);
  const told = mended.map((what) => `\nerror: ${what}`).join('');
  const second = await unlessStopped(git({ ...add, timeoutMs: TIMEOUT_MS }));
  if (typeof second !== 'string') return second.stderr + told;
  if (second === 'timed-out')
    return `error: git did not get through the tree within ${durationText(TIMEOUT_MS)}${told}`;
  const attributes = join(call.gitDir, 'info', 'attributes');
  await mkdir(join(call.gitDir, 'info'), { recursive: true });
  await writeFile(attributes, RAW_ATTRIBUTES);
  try {
    const { stderr } = await git({ ...add, timeoutMs: TIMEOUT_MS });
    return `${stderr}\nerror: the tree's .gitattributes were not followed${told}`;
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    return `error: nothing: ${error.message}${told}`;
  } finally {
    await rm(attributes, { force: true });
  }
}

/** Names are pathspecs with a meaning of their own, unless they are said to be literal. */
function allBut(names: readonly string[]): Pick<GitCall, 'args' | 'stdin'> {
  const args = ['add', '-A', '--ignore-errors'];
  if (names.length === 0) return { args };
  const lines = ['.', ...names.map((name) => `:(top,exclude,literal)${name}`)];
  const stdin = { text: Buffer.from(lines.map((line) => `${line}\0`).join(''), 'latin1') };
  return { args: [...args, '--pathspec-from-file=-', '--pathspec-file-nul'], stdin };
}

/** The mode 160000 as an index stores it. Elsewhere these bytes are rare, and then only cost a look. */
const GITLINK_BYTES = Buffer.from([0, 0, 0xe0, 0]);

/** Submodules that are populated. git must not look into them: a dangling `.git` file there ends it. */
async function submodulesOf(call: AddCall): Promise<string[]> {
  if (!(await readFile(call.index)).includes(GITLINK_BYTES)) return [];
  const { stdout } = await git({ gitDir: call.gitDir, index: call.index, args: ['ls-files', '--stage', '-z'] });
  const rows = stdout.toString('utf8').split('\0');
  const paths = rows.filter((row) => row.startsWith('160000 ')).map((row) => row.slice(row.indexOf('\t') + 1));
  const populated: string[] = [];
  for (const path of paths) {
    if ((await fileKind(join(call.workTree, path, '.git'))) !== 'missing') populated.push(path);
  }
  return populated;
}

async function setSkipped(call: AddCall, paths: readonly string[], skipped: boolean): Promise<void> {
  if (paths.length === 0) return;
  const flag = skipped ? '--skip-worktree' : '--no-skip-worktree';
  const stdin = { text: paths.map((path) => `${path}\0`).join('') };
  await git({ ...call, args: ['update-index', flag, '-z', '--stdin'], stdin });
}
