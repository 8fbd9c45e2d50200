import { z } from 'zod';
import { ralphError } from '../../schemas/errors/index.ts';
import { writeTextAtomically } from '../../system/write-atomically.ts';
import { homePaths } from '../home-paths.ts';
import { HolderIdentity, isSame, ownIdentity } from '../locks/holder-identity.ts';
import { liveHolder } from '../locks/service.ts';
import { readIfValid } from '../read-if-valid.ts';

/** `page.json`: a page that is ready. Mode 0600, as whoever has the token may do what this user may do with runs. */
export const PageRecord = HolderIdentity.extend({
  /** Of this package. */
  version: z.string(),
  port: z.int(),
  /** 32 random bytes, new at each start. */
  token: z.string(),
  readyAt: z.iso.datetime(),
});
export type PageRecord = z.infer<typeof PageRecord>;

/** Throws RalphError where this process was not started as the one page of its RALPH_HOME. */
export async function assertIsPage(ralphHome: string): Promise<void> {
  const holder = await liveHolder(homePaths(ralphHome).page);
  if (holder === null || !isSame(holder, ownIdentity())) throw ralphError('page-without-lock', {});
}

/** Say that this process, the page, is ready. */
export async function announcePage(
  ralphHome: string,
  stated: Pick<PageRecord, 'version' | 'port' | 'token'>,
): Promise<void> {
  const ready: PageRecord = { ...ownIdentity(), ...stated, readyAt: new Date().toISOString() };
  await writeTextAtomically(homePaths(ralphHome).page.ready, `${JSON.stringify(ready)}\n`);
}

export const readPageRecord = (ralphHome: string): Promise<PageRecord | null> =>
  readIfValid(homePaths(ralphHome).page.ready, PageRecord);
