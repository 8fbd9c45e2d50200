import { lstat, rename, unlink } from 'node:fs/promises';
import { basename } from 'node:path';
import { walkFolders } from '../../system/remove-unlocking.ts';

/** Files that git reads whole before it looks at others. */
const RULES: ReadonlySet<string> = new Set(['.gitignore', '.gitattributes', '.gitmodules']);
/**
 * git compares every line of them with every file. Files written by hand are smaller than both limits; the last is for
 * a tree that git did not get through with the first.
 */
export const MAX_RULES_BYTES = { first: 1024 * 1024, last: 64 * 1024 } as const;

/**
 * Take away what makes git give up or wait for ever: folders that may not be entered, FIFOs and sockets, which hold
 * nothing, in nested repositories and in place of `.gitignore` and the like, and such files of a size that none has.
 * Returns notes for readers.
 */
export async function repairTree(tree: string, maxRulesBytes: number): Promise<string[]> {
  const said: string[] = [];
  await walkFolders(
    Buffer.from(tree),
    async (folder, others) => {
      const inRepository = folder.toString('latin1').split('/').includes('.git');
      for (const other of others) {
        const name = basename(other.toString('latin1'));
        if (!inRepository && !RULES.has(name)) continue;
        const stat = await lstat(other);
        // If the system does not allow this, git fails here again, and the notes say so.
        if (stat.isFIFO() || stat.isSocket()) await unlink(other).catch(() => undefined);
        else if (!inRepository && stat.isFile() && stat.size > maxRulesBytes) {
          await rename(other, Buffer.concat([other, Buffer.from('.too-large')]));
          const path = other.subarray(tree.length + 1).toString('utf8');
          said.push(`${path} was renamed to ${path}.too-large, as git would not get past it`);
        }
      }
      return () => Promise.resolve();
    },
    { tooDeep: null },
  );
  return said;
}
