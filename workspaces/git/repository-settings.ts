import { findRepository } from '../repository/find-repository.ts';
import type { Identity } from './git.ts';
import { readGit } from './read-git.ts';

/** Name (section and key in lower case) → last value of the few settings that are looked at before a run. */
export type Settings = ReadonlyMap<string, string>;

const WANTED = String.raw`^(user\.(name|email)|extensions\..*|core\.(bare|sparsecheckout|excludesfile)|remote\..*\.promisor|filter\..*)$`;

/** Read from the repository's and the user's own configuration. `git config` runs nothing of what it reads. */
export async function readSettings(gitDir: string): Promise<Settings> {
  const args = ['config', '--null', '--get-regexp', WANTED];
  const stdout = await readGit({ gitDir, args, noMatchCode: 1, configuration: 'user' });
  const rows = stdout.split('\0').slice(0, -1);
  return new Map(
    rows.map((row) => {
      const end = row.indexOf('\n');
      // A name alone stands for true.
      return end === -1 ? [row, 'true'] : [row.slice(0, end), row.slice(end + 1)];
    }),
  );
}

/** Who the user commits as, or null where git would have to guess. */
export function identityOf(settings: Settings): Identity | null {
  const name = (process.env['GIT_AUTHOR_NAME'] ?? settings.get('user.name') ?? '').trim();
  const email = (process.env['GIT_AUTHOR_EMAIL'] ?? settings.get('user.email') ?? '').trim();
  return name === '' || email === '' ? null : { name, email };
}

/** Who the user of a repository commits as, or null where git would have to guess. Throws RalphError. */
export async function readIdentity(path: string): Promise<Identity | null> {
  return identityOf(await readSettings((await findRepository(path)).gitDir));
}
