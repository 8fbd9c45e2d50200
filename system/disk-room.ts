import { randomBytes } from 'node:crypto';
import { open, rm, statfs } from 'node:fs/promises';
import path from 'node:path';
import { errorCode } from './error-code.ts';

/** What a folder's file system lacks: space, inodes (it holds as many files as it can), or the user's quota is used up. */
type DiskLack = 'space' | 'inodes' | 'quota';

export type DiskRoom =
  { readonly kind: 'room' } | { readonly kind: 'full'; readonly folder: string; readonly lacks: DiskLack };

/** As much as a command writes itself: records, a page of the server's log. */
const TRIED_BYTES = 64 * 1024;

/** Whether there is room for a small file in the folder. It is tried, as a quota shows in no other way. */
export async function diskRoom(folder: string): Promise<DiskRoom> {
  const probe = path.join(folder, `.room-${randomBytes(6).toString('hex')}`);
  try {
    const handle = await open(probe, 'wx', 0o600);
    try {
      await handle.writeFile(Buffer.alloc(TRIED_BYTES, 1));
      await handle.sync();
    } finally {
      await handle.close();
    }
    return { kind: 'room' };
  } catch (error) {
    const code = errorCode(error);
    if (code === 'EDQUOT') return { kind: 'full', folder, lacks: 'quota' };
    if (code === 'ENOSPC') return { kind: 'full', folder, lacks: (await hasInodes(folder)) ? 'space' : 'inodes' };
    // Whatever else keeps this from writing (a read-only mount, say) is no lack of room.
    return { kind: 'room' };
  } finally {
    await rm(probe, { force: true });
  }
}

/** File systems that make inodes as they need them count none. */
async function hasInodes(folder: string): Promise<boolean> {
  const { files, ffree } = await statfs(folder);
  return files === 0 || ffree > 0;
}

/** One sentence: what is full, and of which folder. */
export function fullDiskText({ folder, lacks }: Extract<DiskRoom, { kind: 'full' }>): string {
  switch (lacks) {
    case 'space':
      return `The disk of ${folder} is full: no space is left.`;
    case 'inodes':
      return `The disk of ${folder} is full: it can hold no more files (no inode is left).`;
    case 'quota':
      return `Your disk quota for ${folder} is used up.`;
    default:
      return lacks satisfies never;
  }
}
