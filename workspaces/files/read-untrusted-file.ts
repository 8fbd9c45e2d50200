import { closeSync, constants, fstatSync, openSync, readSync, realpathSync } from 'node:fs';
import { dirname } from 'node:path';
import { errorCode } from '../../system/error-code.ts';

/** What a file written by an agent turned out to be. `why` completes the sentence "the file …". */
export type UntrustedFile =
  | { readonly kind: 'read'; readonly bytes: Buffer }
  | { readonly kind: 'missing' }
  | { readonly kind: 'rejected'; readonly why: string };

/**
 * Read a file that an agent may have written: a regular file of at most `maxBytes` bytes below `root`, reached through
 * no symbolic link. Never waits (a FIFO is refused), never reads more than `maxBytes` + 1 bytes, and never throws for
 * what an agent can do. Call it only when nothing of the agent runs any more.
 */
export function readUntrustedFile({
  file,
  root,
  maxBytes,
}: {
  file: string;
  root: string;
  maxBytes: number;
}): UntrustedFile {
  let handle: number | null = null;
  try {
    const folder = dirname(file);
    const [realRoot, realFolder] = [realpathSync.native(root), realpathSync.native(folder)];
    const relative = folder.startsWith(root) ? folder.slice(root.length) : null;
    if (relative === null || realFolder !== realRoot + relative.replace(/\/$/, '')) {
      return { kind: 'rejected', why: `lies outside ${root}, or behind a symbolic link` };
    }
    // O_NONBLOCK: opening a FIFO returns at once.
    handle = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const stat = fstatSync(handle);
    if (!stat.isFile()) return { kind: 'rejected', why: 'is not a regular file' };
    if (stat.size > maxBytes) return { kind: 'rejected', why: `holds ${stat.size} bytes; the limit is ${maxBytes}` };
    const bytes = readBounded(handle, maxBytes);
    return bytes === null ? { kind: 'rejected', why: `grew beyond ${maxBytes} bytes` } : { kind: 'read', bytes };
  } catch (error) {
    return rejection(errorCode(error), error);
  } finally {
    if (handle !== null) closeSync(handle);
  }
}

function rejection(code: string, error: unknown): UntrustedFile {
  switch (code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return { kind: 'missing' };
    case 'ELOOP':
      return { kind: 'rejected', why: 'is a symbolic link' };
    case 'ENXIO':
      return { kind: 'rejected', why: 'is not a regular file' };
    case 'EACCES':
    case 'EPERM':
    case 'ENAMETOOLONG':
    case 'EIO':
      return { kind: 'rejected', why: `cannot be opened (${code})` };
    default:
      throw error;
  }
}

function readBounded(handle: number, maxBytes: number): Buffer | null {
  const buffer = Buffer.alloc(Math.min(maxBytes, fstatSync(handle).size) + 1);
  let length = 0;
  while (length < buffer.length) {
    const bytesRead = readSync(handle, buffer, length, buffer.length - length, length);
    if (bytesRead === 0) return buffer.subarray(0, length);
    length += bytesRead;
  }
  return null;
}
