import { randomBytes } from 'node:crypto';
import { link, open, readFile, rm } from 'node:fs/promises';
import { hasCode } from '../../system/error-code.ts';
import { readTextIfAny } from '../../system/read-text.ts';

/**
 * The text of a file that is made once and never changes. Of several processes that make it at the same moment one
 * wins, and all return the winner's text; a kill at any point leaves the whole file or none.
 */
export async function makeOnce(file: string, make: () => string): Promise<string> {
  const known = readTextIfAny(file);
  if (known !== null) return known;
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  try {
    const handle = await open(draft, 'wx', 0o600);
    try {
      await handle.writeFile(make());
      await handle.sync();
    } finally {
      await handle.close();
    }
    await link(draft, file);
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error;
  } finally {
    await rm(draft, { force: true });
  }
  return await readFile(file, 'utf8');
}
