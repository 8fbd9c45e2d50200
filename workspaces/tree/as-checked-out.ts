import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { engineGit } from '../git/git.ts';
import { fileIn, type Difference, type TreeCall } from './look-at-tree.ts';

const AT_ONCE = 16;

/**
 * Of differences, the paths of those whose file holds the very bytes that a checkout of their entry writes: they are
 * unchanged. git takes such a file for changed, once it was touched, if it would store the bytes in another way today,
 * for example with other line ends.
 * @param scratch a folder that is not there yet
 */
export async function asCheckedOut(
  call: Omit<TreeCall, 'patienceMs'>,
  differences: readonly Difference[],
  scratch: string,
): Promise<ReadonlySet<string>> {
  const unchanged = new Set<string>();
  const unsure: Difference[] = [];
  const suspects = differences.filter(isSuspect);
  for (let at = 0; at < suspects.length; at += AT_ONCE) {
    await Promise.all(
      suspects.slice(at, at + AT_ONCE).map(async (difference) => {
        const bytes = await bytesOf(call.workTree, difference);
        if (bytes === null) return;
        if (blobId(bytes) === difference.entry?.oid) unchanged.add(difference.path);
        else if (mayBeReshaped(bytes)) unsure.push(difference);
      }),
    );
  }
  for (const path of await asIfCheckedOut(call, unsure, scratch)) unchanged.add(path);
  return unchanged;
}

/** Whether an index has rules by which git stores files in another way than they are. */
export const hasAttributes = async (index: string): Promise<boolean> =>
  (await readFile(index)).includes('.gitattributes');

/** A file whose kind and rights are the entry's. */
const isSuspect = ({ entry, found, stat }: Difference): boolean =>
  entry !== null &&
  found === 'file' &&
  stat?.isFile() === true &&
  entry.mode === ((stat.mode & 0o100) === 0 ? '100644' : '100755');

const blobId = (bytes: Buffer): string =>
  createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex');

/** Whether attributes can have given a text this shape: line ends, expanded keywords, another encoding. */
const mayBeReshaped = (bytes: Buffer): boolean =>
  bytes.includes('\r\n') || bytes.includes('$Id') || bytes.includes(0) || !isUtf8(bytes);

async function bytesOf(tree: string, { path }: Difference): Promise<Buffer | null> {
  // It cannot be read; adding it to the index reports that.
  return readFile(fileIn(tree, path)).catch(() => null);
}

/** Those that hold what a checkout writes, as git shapes it by the attributes in the index. */
async function asIfCheckedOut(
  call: Omit<TreeCall, 'patienceMs'>,
  unsure: readonly Difference[],
  scratch: string,
): Promise<string[]> {
  if (unsure.length === 0 || !(await hasAttributes(call.index))) return [];
  await mkdir(scratch);
  const stdin = { text: Buffer.from(unsure.map(({ path }) => `${path}\0`).join(''), 'latin1') };
  const { gitDir, index } = call;
  await engineGit({
    gitDir,
    index,
    workTree: scratch,
    args: ['checkout-index', '-q', '-z', '--stdin'],
    stdin,
    okCodes: [1, 128],
  });
  const same: string[] = [];
  for (const difference of unsure) {
    const [now, then] = await Promise.all([bytesOf(call.workTree, difference), bytesOf(scratch, difference)]);
    if (now !== null && then !== null && now.equals(then)) same.push(difference.path);
  }
  return same;
}
