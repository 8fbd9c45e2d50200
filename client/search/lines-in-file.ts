import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { hasCode } from '../../system/error-code.ts';
import type { Found } from './decoded-text.ts';
import type { Matcher } from './matcher.ts';

/** A longer line is searched in pieces. */
const MAX_LINE_BYTES = 4 * 1024 * 1024;
/** How much of a piece the next one begins with. */
const OVERLAP_BYTES = 4096;
const LINE_FEED = 0x0a;

/** A line of a file that matches. */
interface FoundLine {
  readonly line: number;
  readonly offset: number;
  readonly found: Found;
}

/** What was read of a file beside its matches. */
export interface ReadSoFar {
  bytes: number;
  longLines: number;
}

export interface OpenFile {
  readonly handle: number;
  readonly size: number;
  close(): void;
}

/** Null where there is no such file. Throws also where it is not a regular file, which could block for ever. */
export function openRegularFile(file: string): OpenFile | null {
  let handle: number;
  try {
    handle = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    if (hasCode(error, 'ENOENT') || hasCode(error, 'ENOTDIR')) return null;
    throw error;
  }
  const stat = fstatSync(handle);
  if (!stat.isFile()) {
    closeSync(handle);
    throw new Error('it is not a regular file');
  }
  return { handle, size: stat.size, close: () => closeSync(handle) };
}

/**
 * The lines of an open file that match, in order, up to the size that it had. Only lines that may match are decoded: as
 * UTF-8, with U+FFFD for what is not.
 */
export function* linesInFile(
  { handle, size }: OpenFile,
  { matcher, find, read }: { matcher: Matcher; find: (line: string) => Found | null; read: ReadSoFar },
): Generator<FoundLine> {
  const lineAt = lineCounter(handle);
  const buffer = Buffer.allocUnsafe(Math.min(size, MAX_LINE_BYTES));
  /** Where the buffer begins in the file. */
  let offset = 0;
  /** How many bytes of it are there from the turn before. */
  let held = 0;
  /** The line that it begins in the middle of; null: it begins with a line. */
  let long: { readonly start: number; hit: boolean } | null = null;
  while (offset + held < size) {
    const got = readSync(handle, buffer, held, Math.min(buffer.length - held, size - offset - held), offset + held);
    // The file was cut meanwhile.
    if (got === 0) return;
    read.bytes += got;
    const filled = held + got;
    const isEnd = offset + filled >= size;
    const lines = isEnd ? filled : buffer.lastIndexOf(LINE_FEED, filled - 1) + 1;
    const isPiece = lines === 0 && filled === buffer.length;
    if (isPiece && long === null) {
      long = { start: offset, hit: false };
      read.longLines += 1;
    }
    const bytes = buffer.subarray(0, isPiece ? filled : lines);
    const next = matcher.candidates(bytes);
    for (let at = next(0); at !== -1;) {
      const start = at === 0 ? 0 : bytes.lastIndexOf(LINE_FEED, at - 1) + 1;
      const feed = bytes.indexOf(LINE_FEED, at);
      const end = feed === -1 ? bytes.length : feed;
      const piece = start === 0 ? long : null;
      const found = piece !== null && piece.hit ? null : find(bytes.toString('utf8', start, end));
      if (found !== null) {
        const begins = piece === null ? offset + start : piece.start;
        if (piece !== null) piece.hit = true;
        yield { line: lineAt(begins), offset: begins, found };
      }
      at = end + 1 >= bytes.length ? -1 : next(end + 1);
    }
    if (!isPiece && lines > 0) long = null;
    const used = isPiece ? filled - OVERLAP_BYTES : lines;
    buffer.copyWithin(0, used, filled);
    held = filled - used;
    offset += used;
  }
}

/** Numbers lines from 1 by where they begin, in rising order: only what comes before a hit is counted. */
function lineCounter(handle: number): (offset: number) => number {
  let line = 1;
  let counted = 0;
  return (offset) => {
    const buffer = Buffer.allocUnsafe(Math.min(256 * 1024, offset - counted));
    while (counted < offset) {
      const got = readSync(handle, buffer, 0, Math.min(buffer.length, offset - counted), counted);
      if (got === 0) break;
      const bytes = buffer.subarray(0, got);
      for (let at = bytes.indexOf(LINE_FEED); at !== -1; at = bytes.indexOf(LINE_FEED, at + 1)) line += 1;
      counted += got;
    }
    return line;
  };
}
