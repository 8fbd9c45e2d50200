import { findRepository } from '../repository/find-repository.ts';
import type { Identity } from './git.ts';
import { identityOf, readSettings } from './repository-settings.ts';

/** Who the user of a repository commits as, or null where git would have to guess. Throws RalphError. */
export async function readIdentity(path: string): Promise<Identity | null> {
  return identityOf(await readSettings((await findRepository(path)).gitDir));
}
