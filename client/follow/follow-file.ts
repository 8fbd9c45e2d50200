import { open, type FileHandle } from 'node:fs/promises';
import { StringDecoder } from 'node:string_decoder';
import { hasCode } from '../../system/error-code.ts';

const CHUNK_BYTES = 256 * 1024;
/** A longer line is handed over in pieces, so that memory stays bounded. */
const MAX_LINE_CHARS = 1024 * 1024;

/** Reads a growing file line by line, from its beginning. */
export interface FollowedFile {
  /** Lines that were completed since the last call; empty where there is nothing more for now. */
  next(): Promise<string[]>;
  /** What is left when nothing more is written: a last line without a line feed, null where there is none. */
  rest(): string | null;
  close(): Promise<void>;
}

/** The file may appear later. */
export function followFile(file: string): FollowedFile {
  const decoder = new StringDecoder('utf8');
  const buffer = Buffer.alloc(CHUNK_BYTES);
  let handle: FileHandle | null = null;
  let begun = '';
  return {
    async next() {
      handle ??= await openIfThere(file);
      if (handle === null) return [];
      for (;;) {
        const { bytesRead } = await handle.read(buffer, 0, CHUNK_BYTES, null);
        if (bytesRead === 0) return [];
        const lines = (begun + decoder.write(buffer.subarray(0, bytesRead))).split('\n');
        begun = lines.pop() ?? '';
        if (begun.length > MAX_LINE_CHARS) {
          lines.push(begun);
          begun = '';
        }
        if (lines.length > 0) return lines;
      }
    },
    rest() {
      const last = begun + decoder.end();
      begun = '';
      return last === '' ? null : last;
    },
    async close() {
      await handle?.close();
      handle = null;
    },
  };
}

async function openIfThere(file: string): Promise<FileHandle | null> {
  try {
    return await open(file, 'r');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return null;
    throw error;
  }
}
