import { readFile, realpath, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { ralphError } from '../../schemas/errors/index.ts';
import { readTextIfAny } from '../../system/read-text.ts';

/** Where the parts of a user's repository are. All paths are absolute and real. */
export interface FoundRepository {
  /** Top level of the working tree. */
  readonly top: string;
  /** Holds HEAD and the index; of a linked worktree its own. */
  readonly gitDir: string;
  /** Holds objects, branches and configuration. */
  readonly commonDir: string;
}

/**
 * Find the repository that holds `path`, as git would, but without running it. Throws RalphError.
 */
export async function findRepository(path: string): Promise<FoundRepository> {
  const start = await realpath(path).catch(() => null);
  if (start === null) throw ralphError('repository-folder-missing', { path });
  if (!(await stat(start)).isDirectory()) throw ralphError('repository-folder-is-file', { path });
  for (let folder = start; ; folder = dirname(folder)) {
    const gitDir = await gitDirOf(join(folder, '.git'));
    if (gitDir !== null) return { top: folder, gitDir, commonDir: await commonDirOf(gitDir) };
    if (await isGitDir(folder)) throw ralphError('bare-repository', { path: folder });
    if (folder === dirname(folder)) throw ralphError('not-a-repository', { path });
  }
}

/** A `.git` is the repository itself, or (in a linked worktree or a submodule) a file that names it. */
async function gitDirOf(dotGit: string): Promise<string | null> {
  const kind = await stat(dotGit).catch(() => null);
  if (kind === null) return null;
  if (kind.isDirectory()) return (await isGitDir(dotGit)) ? realpath(dotGit) : null;
  if (!kind.isFile() || kind.size > 8192) return null;
  const named = /^gitdir: (.+?)\n*$/.exec(await readFile(dotGit, 'utf8'))?.[1];
  if (named === undefined) return null;
  const gitDir = resolve(dirname(dotGit), named);
  return (await isGitDir(gitDir)) ? realpath(gitDir) : null;
}

async function commonDirOf(gitDir: string): Promise<string> {
  const named = readTextIfAny(join(gitDir, 'commondir'));
  return named === null ? gitDir : realpath(resolve(gitDir, named.trim()));
}

async function isGitDir(folder: string): Promise<boolean> {
  const head = await stat(join(folder, 'HEAD')).catch(() => null);
  if (head?.isFile() !== true) return false;
  const commonDir = await commonDirOf(folder).catch(() => null);
  if (commonDir === null) return false;
  const objects = await stat(join(commonDir, 'objects')).catch(() => null);
  return objects?.isDirectory() === true;
}
