import { execFile } from 'node:child_process';
import { closeSync, constants, openSync } from 'node:fs';
import { copyFile, rm } from 'node:fs/promises';
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { promisify } from 'node:util';
import { ralphError } from '../../../schemas/errors/index.ts';
import { containerFailed } from '../choose/container-errors.ts';
import type { Mechanism } from '../../../schemas/round/receipt.ts';
import { messageOf } from '../../../system/error-code.ts';
import { findOnPath } from '../../../system/processes/on-path.ts';

/** File descriptors for a command and, where it writes, our ends of them. To be closed. */
export interface Streams {
  readonly theirs: readonly [stdin: number, stdout: number, stderr: number];
  readonly stdout: number;
  readonly stderr: number;
}

/**
 * A command's three streams, such that it can open each once more by its path: /dev/stdin, /dev/stdout, /dev/stderr.
 * What Node calls pipes are socket pairs, of which it could not. Output goes through FIFOs. Input is a copy of the file,
 * as the command may write to what it reads; a FIFO would let whoever opens it late wait for ever. All are taken off
 * `folder`, in which nobody else may write, before this returns.
 */
export async function openStreams(how: { stdinFile: string; folder: string; mechanism: Mechanism }): Promise<Streams> {
  const copy = path.join(how.folder, `.stream-${randomUUID()}-in`);
  let stdin: number;
  try {
    await copyFile(how.stdinFile, copy);
    stdin = openSync(copy, O_RDONLY);
  } finally {
    await rm(copy, { force: true });
  }
  try {
    const [stdout, stderr] = await takeTwoFifos(how);
    return { theirs: [stdin, stdout.write, stderr.write], stdout: stdout.read, stderr: stderr.read };
  } catch (error) {
    closeSync(stdin);
    throw error;
  }
}

const { O_RDONLY, O_WRONLY, O_NONBLOCK } = constants;

/** A FIFO that no folder names any more: its two ends. */
interface Fifo {
  readonly read: number;
  readonly write: number;
}

/** FIFOs that were made with others and not yet used. Node cannot make one itself: it takes a process, which costs. */
const spare: Fifo[] = [];
/** For eight commands. */
const MADE_AT_ONCE = 16;

async function takeTwoFifos(how: { folder: string; mechanism: Mechanism }): Promise<readonly [Fifo, Fifo]> {
  for (;;) {
    const [first, second] = spare.splice(-2);
    if (first !== undefined && second !== undefined) return [first, second];
    spare.push(...(await makeFifos(how)));
  }
}

async function makeFifos({ folder, mechanism }: { folder: string; mechanism: Mechanism }): Promise<Fifo[]> {
  const place = path.join(folder, `.stream-${randomUUID()}`);
  const files = Array.from({ length: MADE_AT_ONCE }, (_, i) => `${place}-${i}`);
  const opened: number[] = [];
  const open = (file: string, flags: number): number => {
    const fd = openSync(file, flags);
    opened.push(fd);
    return fd;
  };
  try {
    await runMkfifo(files, mechanism);
    // A FIFO that is read can be opened for writing without waiting for anybody.
    return files.map((file) => ({ read: open(file, O_RDONLY | O_NONBLOCK), write: open(file, O_WRONLY) }));
  } catch (error) {
    for (const fd of opened) closeSync(fd);
    throw error;
  } finally {
    await Promise.all(files.map((file) => rm(file, { force: true })));
  }
}

async function runMkfifo(files: readonly string[], mechanism: Mechanism): Promise<void> {
  const mkfifo = findOnPath('mkfifo', `${process.env.PATH ?? ''}:/usr/bin:/bin`);
  if (mkfifo === null) throw containerFailed(mechanism, 'there is no mkfifo on PATH');
  try {
    await promisify(execFile)(mkfifo, ['-m', '600', ...files], { env: { LC_ALL: 'C' } });
  } catch (error) {
    const cause = messageOf(error).trim();
    if (/No space left on device|Disk quota exceeded/.test(cause)) {
      throw ralphError('disk-full', { what: 'the streams of a command could not be made' }, { cause: error });
    }
    throw containerFailed(mechanism, cause);
  }
}
