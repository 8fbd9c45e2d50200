import { closeSync, fstatSync, openSync, readdirSync, readFileSync, readSync, statSync } from 'node:fs';
import { hasCode } from '../../system/error-code.ts';
import { RUN_ID } from '../../schemas/run/run.ts';
import { type RunPaths, runPaths, runsFolder } from '../../workspaces/records/run-paths.ts';

/**
 * The files of one run, for reading, wherever they are; names are those of `paths`. What is not there reads as null, or
 * as an empty list. Everything else that goes wrong is thrown.
 */
export interface RunFiles {
  readonly runId: string;
  readonly paths: RunPaths;
  /** The names in a folder. */
  list(folder: string): Promise<readonly string[]>;
  /** A whole file as text. Throws where it is longer than `maxBytes`. */
  read(file: string, maxBytes: number): Promise<string | null>;
  /** At most so many bytes from an offset on; a negative offset counts from the end. */
  readRange(file: string, range: { from: number; bytes: number }): Promise<Buffer | null>;
  stat(file: string): Promise<FileStat | null>;
}

export interface FileStat {
  readonly bytes: number;
  readonly changedAtMs: number;
}

/**
 * The files of a run on this machine's disk. They are read synchronously: each is small, and a thread that waits for it
 * costs more than the read.
 */
export function diskFiles(ralphHome: string, runId: string): RunFiles {
  return {
    runId,
    paths: runPaths(ralphHome, runId),
    list: (folder) => Promise.resolve(ifThere(() => readdirSync(folder)) ?? []),
    read: (file, maxBytes) => Promise.resolve(ifThere(() => readWhole(file, maxBytes))),
    readRange: (file, range) => Promise.resolve(ifThere(() => readPart(file, range))),
    stat: (file) => Promise.resolve(statOf(file)),
  };
}

/** The same of a file on this disk, at once: for hundreds of runs. */
export function statOf(file: string): FileStat | null {
  const found = ifThere(() => statSync(file));
  return found === null ? null : { bytes: found.size, changedAtMs: found.mtimeMs };
}

function readWhole(file: string, maxBytes: number): string {
  const handle = openSync(file, 'r');
  try {
    const { size } = fstatSync(handle);
    if (size > maxBytes) throw new Error(`${file} has ${size} bytes, and at most ${maxBytes} of it are read`);
    return readFileSync(handle, 'utf8');
  } finally {
    closeSync(handle);
  }
}

function readPart(file: string, { from, bytes }: { from: number; bytes: number }): Buffer {
  const handle = openSync(file, 'r');
  try {
    const start = from >= 0 ? from : Math.max(0, fstatSync(handle).size + from);
    const buffer = Buffer.alloc(bytes);
    return buffer.subarray(0, readSync(handle, buffer, 0, bytes, start));
  } finally {
    closeSync(handle);
  }
}

function ifThere<T>(read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    if (hasCode(error, 'ENOENT') || hasCode(error, 'ENOTDIR')) return null;
    throw error;
  }
}

/** Ids of the runs that have a folder on this disk. */
export const runFolders = (ralphHome: string): string[] =>
  (ifThere(() => readdirSync(runsFolder(ralphHome))) ?? []).filter((name) => RUN_ID.test(name));
