import { constants } from 'node:fs';
import { open, realpath, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { errorCode } from '../../system/error-code.ts';

/** What a file written by an agent turned out to be. `why` completes the sentence "the file …". */
export type UntrustedFile =
  | { readonly kind: 'read'; readonly bytes: Buffer }
  | { readonly kind: 'missing' }
  | { readonly kind: 'refused'; readonly why: string };

/**
 * Read a file that an agent may have written: a regular file of at most `maxBytes` bytes below `root`, reached through
 * no symbolic link. Never waits (a FIFO is refused), never reads more than `maxBytes` + 1 bytes, and never throws for
 * what an agent can do. Call it only when nothing of the agent runs any more.
 */
export async function readUntrustedFile(asked: {
  file: string;
  root: string;
  maxBytes: number;
}): Promise<UntrustedFile> {
  const { file, root, maxBytes } = asked;
  let handle: FileHandle | null = null;
  try {
    const folder = dirname(file);
    const [realRoot, realFolder] = await Promise.all([realpath(root), realpath(folder)]);
    const relative = folder.startsWith(root) ? folder.slice(root.length) : null;
    if (relative === null || realFolder !== realRoot + relative.replace(/\/$/, '')) {
      return { kind: 'refused', why: `lies outside ${root}, or behind a symbolic link` };
    }
    // O_NONBLOCK: opening a FIFO returns at once.
    handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const stat = await handle.stat();
    if (!stat.isFile()) return { kind: 'refused', why: 'is not a regular file' };
    if (stat.size > maxBytes) return { kind: 'refused', why: `holds ${stat.size} bytes; the limit is ${maxBytes}` };
    const bytes = await readBounded(handle, maxBytes);
    return bytes === null ? { kind: 'refused', why: `grew beyond ${maxBytes} bytes` } : { kind: 'read', bytes };
  } catch (error) {
    return refusal(errorCode(error), error);
  } finally {
    await handle?.close();
  }
}

function refusal(code: string, error: unknown): UntrustedFile {
  switch (code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return { kind: 'missing' };
    case 'ELOOP':
      return { kind: 'refused', why: 'is a symbolic link' };
    case 'ENXIO':
      return { kind: 'refused', why: 'is not a regular file' };
    case 'EACCES':
    case 'EPERM':
    case 'ENAMETOOLONG':
    case 'EIO':
      return { kind: 'refused', why: `cannot be opened (${code})` };
    default:
      throw error;
  }
}

async function readBounded(handle: FileHandle, maxBytes: number): Promise<Buffer | null> {
  const buffer = Buffer.alloc(Math.min(maxBytes, (await handle.stat()).size) + 1);
  let length = 0;
  while (length < buffer.length) {
    const { bytesRead } = await handle.read(buffer, length, buffer.length - length, length);
    if (bytesRead === 0) return buffer.subarray(0, length);
    length += bytesRead;
  }
  return null;
}
