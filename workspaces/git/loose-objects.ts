import { createHash, randomBytes } from 'node:crypto';
import {
  closeSync,
  fsync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { constants, deflateSync, inflate, inflateSync } from 'node:zlib';
import { errorCode } from '../../system/error-code.ts';

/** An object of a repository. */
export interface StoredObject {
  readonly type: string;
  readonly size: number;
  /** Null: larger than the caller wanted to read. */
  readonly bytes: Buffer | null;
}

const flushed = promisify(fsync);
const decompress = promisify(inflate);
/** Enough compressed bytes for an object's header. */
const HEAD_BYTES = 256;
const MAX_HEADER_CHARS = 64;
/** A thread decompresses what is larger. */
const LARGE = 64 * 1024;

/** Where git keeps an object that is in no pack. */
export const looseFile = (objects: string, oid: string): string => join(objects, oid.slice(0, 2), oid.slice(2));

/** Write a commit into a folder of objects, as git does: whole, flushed and under its own name. Returns its id. */
export async function writeCommit(objects: string, content: string): Promise<string> {
  const body = Buffer.from(content);
  const stored = Buffer.concat([Buffer.from(`commit ${body.length}\0`), body]);
  const oid = createHash('sha1').update(stored).digest('hex');
  const file = looseFile(objects, oid);
  mkdirSync(dirname(file), { recursive: true });
  const draft = join(dirname(file), `tmp_obj_${randomBytes(6).toString('hex')}`);
  try {
    const handle = openSync(draft, 'wx', 0o444);
    try {
      writeFileSync(handle, deflateSync(stored));
      await flushed(handle);
    } finally {
      closeSync(handle);
    }
    renameSync(draft, file);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
  return oid;
}

/** Null if the object is in a pack, or not there at all. */
export async function readLooseObject(
  objects: string,
  oid: string,
  { maxBytes }: { maxBytes: number },
): Promise<StoredObject | null> {
  const file = looseFile(objects, oid);
  const header = headerOf(firstBytes(file));
  if (header === null) return null;
  const [type, size, headerBytes] = header;
  if (size > maxBytes) return { type, size, bytes: null };
  const limit = { maxOutputLength: headerBytes + size };
  const stored = readFileSync(file);
  const whole = size > LARGE ? await decompress(stored, limit) : inflateSync(stored, limit);
  return { type, size, bytes: whole.subarray(headerBytes) };
}

function firstBytes(file: string): Buffer | null {
  try {
    const handle = openSync(file, 'r');
    try {
      const buffer = Buffer.alloc(HEAD_BYTES);
      const start = buffer.subarray(0, readSync(handle, buffer, 0, HEAD_BYTES, 0));
      return inflateSync(start, { finishFlush: constants.Z_SYNC_FLUSH });
    } finally {
      closeSync(handle);
    }
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  }
}

function headerOf(start: Buffer | null): [type: string, size: number, bytes: number] | null {
  if (start === null) return null;
  const [all, type = '', size = ''] = /^([a-z]+) (\d+)\0/.exec(start.toString('latin1', 0, MAX_HEADER_CHARS)) ?? [];
  if (all === undefined) throw new Error('a loose object has no header');
  return [type, Number(size), all.length];
}
