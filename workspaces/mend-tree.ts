import { lstat, rename, unlink } from 'node:fs/promises';
import { basename } from 'node:path';
import { walkFolders } from './remove-tree.ts';

/** Files that git reads whole before it looks at others. */
const RULES: ReadonlySet<string> = new Set(['.gitignore', '.gitattributes', '.gitmodules']);
/** git itself refuses attributes of more than 100 MiB; what anybody wrote by hand is far smaller. */
export const MAX_RULES_BYTES = 8 * 1024 * 1024;

/**
 * Take away what makes git give up or wait for ever: folders that may not be entered, FIFOs and sockets, which hold
 * nothing, in nested repositories and in place of `.gitignore` and the like, and such files of a size that none has.
 * Returns what a reader must know of it.
 */
export async function mendTree(tree: string): Promise<string[]> {
  const said: string[] = [];
  await walkFolders(Buffer.from(tree), async (folder, others) => {
    const inRepository = folder.toString('latin1').split('/').includes('.git');
    for (const other of others) {
      const name = basename(other.toString('latin1'));
      if (!inRepository && !RULES.has(name)) continue;
      const stat = await lstat(other);
      if (stat.isFIFO() || stat.isSocket()) await unlink(other);
      else if (!inRepository && stat.isFile() && stat.size > MAX_RULES_BYTES) {
        await rename(other, Buffer.concat([other, Buffer.from('.too-large')]));
        const path = other.subarray(tree.length + 1).toString('utf8');
        said.push(`${path} was renamed to ${path}.too-large, as git would not get past it`);
      }
    }
    return () => Promise.resolve();
  });
  return said;
}
