import { lstat, mkdir, readFile, rm, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { RalphError } from '../schemas/errors/index.ts';
import { fileKind } from './file-kind.ts';
import { git, GitError, type GitCall, type GitOutput } from './git.ts';
import { walkFolders } from './remove-tree.ts';

/** Where and with which index to add; every field is needed. */
export interface AddCall extends Pick<GitCall, 'gitDir'> {
  readonly workTree: string;
  readonly index: string;
  /** Milliseconds after which git is taken to hang rather than to work, the first time. */
  readonly patienceMs: number;
}

/** What could not be added, by name. */
export interface LeftOut {
  readonly submodules: readonly string[];
  readonly nested: readonly string[];
  /** Other reasons, as git gives them. */
  readonly errors: readonly string[];
}

const TIMEOUT_MS = 900_000;
const RAW_ATTRIBUTES = '* -text -eol -ident -filter -working-tree-encoding\n';

/**
 * Bring everything in the tree that is not ignored into the index, whatever the tree holds. git gives up for good over
 * folders it may not enter, over FIFOs in nested repositories and over attributes that the files do not fit: each is
 * mended and tried again.
 */
export async function addAll(call: AddCall): Promise<LeftOut> {
  const submodules = await submodulesOf(call);
  await setSkipped(call, submodules, true);
  const { stderr } = await addInSpiteOf(call);
  await setSkipped(call, submodules, false);
  const errors = stderr.split('\n').filter((line) => line.startsWith('error: '));
  const nested = errors.flatMap((line) => NESTED.exec(line)?.[1] ?? []);
  const others = errors.filter((line) => !NESTED.test(line)).map((line) => line.slice('error: '.length));
  return { submodules, nested, errors: others };
}

const NESTED = /^error: '(.*)\/' does not have a commit checked out$/;

async function addInSpiteOf(call: AddCall): Promise<GitOutput> {
  const add = { ...call, args: ['add', '-A', '--ignore-errors'], okCodes: [1] };
  const first = await unlessStopped(git({ ...add, timeoutMs: call.patienceMs }));
  if (first !== null) return first;
  // Left by a killed git; the index is this call's own.
  await rm(`${call.index}.lock`, { force: true });
  await makeAccessible(call.workTree);
  const second = await unlessStopped(git({ ...add, timeoutMs: TIMEOUT_MS }));
  if (second !== null) return second;
  const attributes = join(call.gitDir, 'info', 'attributes');
  await mkdir(join(call.gitDir, 'info'), { recursive: true });
  await writeFile(attributes, RAW_ATTRIBUTES);
  try {
    const third = await git({ ...add, timeoutMs: TIMEOUT_MS });
    return { ...third, stderr: `${third.stderr}\nerror: the tree's .gitattributes were not followed` };
  } finally {
    await rm(attributes, { force: true });
  }
}

/** Null where git gave up or was killed for taking too long. */
async function unlessStopped(output: Promise<GitOutput>): Promise<GitOutput | null> {
  try {
    return await output;
  } catch (error) {
    if (error instanceof GitError || (error instanceof RalphError && error.code === 'git-timed-out')) return null;
    throw error;
  }
}

/** Let the owner enter every folder, and remove FIFOs and sockets, which hold nothing, from nested repositories. */
async function makeAccessible(tree: string): Promise<void> {
  await walkFolders(Buffer.from(tree), async (folder, others) => {
    const inRepository = folder.toString('latin1').split('/').includes('.git');
    for (const other of inRepository ? others : []) {
      const stat = await lstat(other);
      if (stat.isFIFO() || stat.isSocket()) await unlink(other);
    }
    return () => Promise.resolve();
  });
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
