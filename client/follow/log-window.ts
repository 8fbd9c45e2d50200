import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { hasCode } from '../../system/error-code.ts';

/** Some lines of a file that may be large and may grow, by byte offsets. */
export interface LogWindow {
  /**
   * Offset of the first line, and of what comes after the last one: a last line without a line feed may go on, so it
   * comes again. Ask for `before: from` and `from: to`.
   */
  readonly from: number;
  readonly to: number;
  /** Of the file, in bytes. */
  readonly size: number;
  readonly lines: readonly WindowLine[];
}

interface WindowLine {
  /** Offset of its first byte. */
  readonly at: number;
  /** Without the line feed; at most `MAX_LINE_BYTES` of it. */
  readonly text: string;
  /** Bytes that are left out at its end. */
  readonly cut: number;
}

/** `before`: the last lines before this offset; null: of the file. `from`: the lines that begin there. */
export type Place = { readonly before: number | null } | { readonly from: number };

const MOST_LINES = 500;
const WINDOW_BYTES = 1024 * 1024;
const MAX_LINE_BYTES = 16 * 1024;
const LINE_FEED = 0x0a;
const EMPTY: LogWindow = { from: 0, to: 0, size: 0, lines: [] };

/** Reads a mebibyte at most, wherever in the file. Empty where there is no such file, or it is no plain file. */
export async function logWindow(file: string, place: Place): Promise<LogWindow> {
  const handle = await openPlain(file);
  if (handle === null) return EMPTY;
  try {
    const stats = await handle.stat();
    if (!stats.isFile()) return EMPTY;
    const { size } = stats;
    const end = 'from' in place ? Math.min(size, place.from + WINDOW_BYTES) : Math.min(size, place.before ?? size);
    const start = 'from' in place ? Math.min(place.from, size) : Math.max(0, end - WINDOW_BYTES);
    const bytes = Buffer.alloc(end - start);
    const { bytesRead } = await handle.read(bytes, 0, bytes.length, start);
    const whole = linesOf(bytes.subarray(0, bytesRead), start);
    const lines = 'from' in place ? whole.slice(0, MOST_LINES) : lastOf(whole, start);
    const [first] = lines;
    const last = lines.at(-1);
    return {
      from: first === undefined ? start : first.at,
      to: last === undefined ? start : endOf(last, bytesRead),
      size,
      lines: lines.map(({ at, bytes: line }) => ({
        at,
        text: line.subarray(0, MAX_LINE_BYTES).toString('utf8'),
        cut: Math.max(0, line.length - MAX_LINE_BYTES),
      })),
    };
  } finally {
    await handle.close();
  }
}

interface Line {
  readonly at: number;
  readonly bytes: Buffer;
  readonly hasEnded: boolean;
}

/** Of a line that fills a whole window, the next window begins where that ended. */
function endOf({ at, bytes, hasEnded }: Line, bytesRead: number): number {
  if (hasEnded) return at + bytes.length + 1;
  return bytes.length === bytesRead && bytesRead === WINDOW_BYTES ? at + bytes.length : at;
}

/** The last lines of a window. Its first one may have begun before it: then it is one of the window before. */
function lastOf(lines: readonly Line[], start: number): readonly Line[] {
  const whole = start > 0 && lines.length > 1 ? lines.slice(1) : lines;
  return whole.slice(-MOST_LINES);
}

function linesOf(bytes: Buffer, start: number): Line[] {
  const lines: Line[] = [];
  for (let at = 0; at < bytes.length;) {
    const end = bytes.indexOf(LINE_FEED, at);
    const stop = end === -1 ? bytes.length : end;
    lines.push({ at: start + at, bytes: bytes.subarray(at, stop), hasEnded: end !== -1 });
    at = stop + 1;
  }
  return lines;
}

/** A link is not followed: an agent may have written what is there. */
async function openPlain(file: string) {
  try {
    return await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    if (hasCode(error, 'ENOENT') || hasCode(error, 'ELOOP')) return null;
    throw error;
  }
}
