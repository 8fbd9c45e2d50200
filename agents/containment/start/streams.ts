import { execFile } from 'node:child_process';
import { closeSync, constants, openSync, unlinkSync } from 'node:fs';
import { copyFile, rm } from 'node:fs/promises';
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { promisify } from 'node:util';
import { ralphError } from '../../../schemas/errors/index.ts';
import { containerFailed } from '../choose/container-failed.ts';
import type { Mechanism } from '../../../schemas/round/receipt.ts';
import { messageOf } from '../../../system/message-of.ts';
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
  const place = path.join(how.folder, `.stream-${randomUUID()}`);
  const [stdin, stdout, stderr] = [`${place}-in`, `${place}-out`, `${place}-err`];
  const opened: number[] = [];
  try {
    await copyFile(how.stdinFile, stdin);
    await makeFifos([stdout, stderr], how.mechanism);
    const open = (file: string, flags: number): number => {
      const fd = openSync(file, flags);
      opened.push(fd);
      return fd;
    };
    // A FIFO that is read can be opened for writing without waiting for anybody.
    const ours = { stdout: open(stdout, O_RDONLY | O_NONBLOCK), stderr: open(stderr, O_RDONLY | O_NONBLOCK) };
    const theirs = [open(stdin, O_RDONLY), open(stdout, O_WRONLY), open(stderr, O_WRONLY)] as const;
    for (const file of [stdin, stdout, stderr]) unlinkSync(file);
    return { theirs, ...ours };
  } catch (error) {
    for (const fd of opened) closeSync(fd);
    await Promise.all([stdin, stdout, stderr].map((file) => rm(file, { force: true })));
    throw error;
  }
}

const { O_RDONLY, O_WRONLY, O_NONBLOCK } = constants;

/** Node cannot make one itself. */
async function makeFifos(files: readonly string[], mechanism: Mechanism): Promise<void> {
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
