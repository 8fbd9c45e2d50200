import { access, constants } from 'node:fs/promises';
import { join } from 'node:path';
import { ralphError } from '../../schemas/errors/index.ts';
import { findFilteredFile, listTree, type TreeEntry } from '../git/find-filtered-file.ts';
import { findRepository, type FoundRepository } from './find-repository.ts';
import { readIgnoreRules } from './ignore-rules.ts';
import { engineGit, GitError, type Identity } from '../git/git.ts';
import { readTextIfAny } from '../../system/read-text.ts';
import { listIfAny } from '../files/list-if-any.ts';
import { readGit } from '../git/read-git.ts';
import { identityOf, readSettings, type Settings } from '../git/repository-settings.ts';
import { rejectForeign } from './repository-owner.ts';
import { inShadowRepository, type Shadow } from '../git/shadow-repository.ts';

/** A user's repository that a run can start from. */
export interface InspectedRepository {
  /** Top level of the working tree. */
  readonly path: string;
  readonly ref: string;
  readonly commit: string;
  /** From GIT_AUTHOR_NAME and GIT_AUTHOR_EMAIL, else `user.name` and `user.email` of the user's git configuration. */
  readonly identity: Identity | null;
  /** The user's own ignore rules. */
  readonly ignore: string;
  /** Sentences that the user should read before the run starts. */
  readonly warnings: string[];
}

/**
 * Look at a user's repository before a run starts. `path`: its top level, a folder inside it or a linked worktree.
 * Runs nothing that the repository configures. Throws RalphError: `not-a-repository`, `bare-repository`,
 * `repository-not-yours`,
 * `unsupported-object-format`, `partial-clone`, `repository-without-commits`, `no-such-base`, `content-filter`,
 * `unreadable-repository`.
 */
export async function inspectRepository(asked: { path: string; ref: string }): Promise<InspectedRepository> {
  const found = await findRepository(asked.path);
  const path = found.top;
  try {
    await rejectForeign(found);
    const settings = await readSettings(found.gitDir);
    rejectUnsupported(found, settings);
    const commit = await commitOf(found, asked.ref);
    if (commit === null) throw await whyNoCommit(found, asked.ref);
    const objects = join(found.commonDir, 'objects');
    const attributes = readTextIfAny(join(found.commonDir, 'info', 'attributes')) ?? '';
    const head = await commitOf(found, 'HEAD');
    const ignore = await readIgnoreRules(found, settings);
    return await inShadowRepository({ objects, commit: head ?? commit }, async (shadow) => {
      const entries = await listTree(shadow, commit);
      const filtered = await findFilteredFile({ shadow, commit, entries, attributes, settings });
      if (filtered !== null) throw ralphError('content-filter', { path, ...filtered });
      const uncommitted = head === null ? 0 : await countUncommitted(found, shadow);
      const unwritable = await whyUnwritable(found.commonDir);
      const warnings = [...warningsOf({ commit, entries, settings, uncommitted, unwritable }), ...ignore.warnings];
      return { path, ref: asked.ref, commit, identity: identityOf(settings), ignore: ignore.rules, warnings };
    });
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    throw ralphError('unreadable-repository', { path, why: error.message }, { cause: error });
  }
}

function rejectUnsupported(found: FoundRepository, settings: Settings): void {
  const { top: path, gitDir, commonDir } = found;
  // Linked working trees of a bare repository have a folder of their own.
  if (settings.get('core.bare') === 'true' && gitDir === commonDir) throw ralphError('bare-repository', { path });
  const format = settings.get('extensions.objectformat') ?? 'sha1';
  if (format !== 'sha1') throw ralphError('unsupported-object-format', { path, format });
  const promised = [...settings].some(([name, value]) => /^remote\..*\.promisor$/.test(name) && value !== 'false');
  const packs = listIfAny(join(commonDir, 'objects', 'pack'));
  if (promised || settings.has('extensions.partialclone') || packs.some((name) => name.endsWith('.promisor'))) {
    throw ralphError('partial-clone', { path });
  }
}

async function commitOf({ gitDir }: FoundRepository, ref: string): Promise<string | null> {
  const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`];
  try {
    return (await readGit({ gitDir, args })).trim();
  } catch (error) {
    if (error instanceof GitError) return null;
    throw error;
  }
}

async function whyNoCommit({ gitDir, top: path }: FoundRepository, ref: string): Promise<Error> {
  if ((await readGit({ gitDir, args: ['for-each-ref', '--count=1'] })) === '')
    return ralphError('repository-without-commits', { path });
  return ralphError('no-such-base', { path, ref });
}

/** Files staged or changed against HEAD; 0 where the index is one that only the user's own settings can read. */
async function countUncommitted(found: FoundRepository, shadow: Shadow): Promise<number> {
  const { code, stdout } = await engineGit({
    ...shadow,
    workTree: found.top,
    index: join(found.gitDir, 'index'),
    args: ['status', '--porcelain', '-z', '--no-renames', '--untracked-files=no', '--ignore-submodules=all'],
    okCodes: [128],
  });
  return code === 0 ? stdout.toString('latin1').split('\0').length - 1 : 0;
}

/** Why a branch cannot be made in a user's repository, in the system's words; null: nothing is known against it. */
async function whyUnwritable(commonDir: string): Promise<string | null> {
  for (const folder of [commonDir, join(commonDir, 'objects'), join(commonDir, 'refs')]) {
    try {
      await access(folder, constants.W_OK);
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  }
  return null;
}

function warningsOf(facts: {
  commit: string;
  entries: readonly TreeEntry[];
  settings: Settings;
  uncommitted: number;
  unwritable: string | null;
}): string[] {
  const { commit, entries, settings, uncommitted, unwritable } = facts;
  const warnings: string[] = [];
  if (unwritable !== null) {
    warnings.push(
      `The repository cannot be written to (${unwritable}), so the run's branch will not be in it. Its end and \`ralph show\` name where the commits are.`,
    );
  }
  if (uncommitted > 0) {
    const files = uncommitted === 1 ? '1 file' : `${uncommitted} files`;
    warnings.push(
      `Uncommitted changes in ${files} are not part of the run, and neither is any untracked file: it starts from ${commit.slice(0, 12)}.`,
    );
  }
  if (entries.some((entry) => entry.mode === '160000')) {
    warnings.push('The folders of submodules are empty in the workspace; a setup command may fill them.');
  }
  if (settings.get('core.sparsecheckout') === 'true') {
    warnings.push('This checkout is sparse; the workspace holds all files.');
  }
  return warnings;
}
