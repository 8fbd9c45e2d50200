import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync } from 'node:fs';
import { Socket } from 'node:net';
import { constants } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { Duplex, Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { containerFailed } from '../choose/container-failed.ts';
import type { Mechanism } from '../../../schemas/round/receipt.ts';
import type { CommandExit } from '../containment.ts';
import { messageOf } from '../../../system/message-of.ts';
import { programOrFail } from '../choose/program-or-fail.ts';
import { openStreams } from './streams.ts';

/** Where a latch speaks with us, line by line. Closed before the command runs. */
export const LATCH_FD = 4;

/** Perl must not complain about a LANG that is not installed where the command's stderr is. Latches take it away again. */
export const FOR_PERL = { PERL_BADLANG: '0' };

/** Far more than any latch or keeper says: it is a command then that got hold of its latch, and means no good. */
const MOST_HEARD_BYTES = 4 * 1024 * 1024;

/** In front of everything: what the worker inherited itself must not be handed on. */
const CLOSE_INHERITED = fileURLToPath(new URL('close-inherited.pl', import.meta.url));

/**
 * A command that is started, and waits behind its latch: a program in front of it that says `ready`, starts it when told
 * `go`, says `started` in its place, then `exit CODE [SIGNAL]` when it ended, and stays. An end of file instead of `go` ends the latch.
 */
export interface Latched {
  readonly pid: number | null;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** What a wrapping program says on file descriptor 3. */
  readonly status: Readable;
  /** True once the container is complete; false: it ended before that. */
  readonly ready: Promise<boolean>;
  /** The command's own end, or, where its latch was killed, that of the container. */
  readonly exited: Promise<CommandExit>;
  /** Let the command start. */
  go(): void;
  /** After `go`: whether there was a process for the command to become. */
  readonly started: Promise<boolean>;
  /** Say a line to the latch. Nothing happens where it is gone. */
  tell(line: string): void;
  /** Hang up on the latch: for when its container was ended. */
  close(): void;
  /** SIGKILL to the program that was started, which is our child: its pid cannot be another's. */
  kill(): void;
  /** The first line that matches; null: the latch was gone before it said so. Ask before it may be said. */
  said(pattern: RegExp): Promise<RegExpExecArray | null>;
}

/** @throws RalphError `container-failed`, `disk-full`; the system's error where `stdinFile` cannot be read. Nothing was started then. */
export async function startLatched(how: {
  argv: readonly [string, ...string[]];
  env: Readonly<Record<string, string>>;
  cwd: string;
  stdinFile: string;
  fenceFile: string;
  mechanism: Mechanism;
}): Promise<Latched> {
  const { child, ended, stdout, stderr } = await spawnWithStreams(how);
  const [, , , status, latch] = child.stdio;
  if (!(status instanceof Readable) || !(latch instanceof Duplex)) throw new TypeError('spawn gave no sockets');
  // Whoever reads the other end may be gone at any moment; `exited` reports its end.
  latch.on('error', () => undefined);
  let heard = 0;
  latch.on('data', (chunk: Buffer) => {
    heard += chunk.length;
    if (heard > MOST_HEARD_BYTES) latch.destroy();
  });

  const lines = createInterface({ input: latch });
  // It hands errors on: ECONNRESET where the latch was killed with a word of ours unread. No more lines come then.
  lines.on('error', () => undefined);
  latch.once('close', () => lines.close());
  const said: Latched['said'] = (pattern) =>
    new Promise((resolve) => {
      lines.once('close', () => resolve(null));
      lines.on('line', (line) => {
        const match = pattern.exec(line);
        if (match !== null) resolve(match);
      });
    });
  const tell = (line: string): void => void latch.write(`${line}\n`);
  return {
    pid: child.pid ?? null,
    stdout,
    stderr,
    status,
    said,
    tell,
    close: () => {
      for (const stream of [status, latch]) stream.destroy();
    },
    kill: () => void child.kill('SIGKILL'),
    ready: Promise.race([said(/^ready$/).then((line) => line !== null), ended.then(() => false)]),
    started: said(/^started$/).then((line) => line !== null),
    exited: said(/^exit (\d+) ?(\d*)$/).then((line) => (line === null ? ended : exitOf(line))),
    go: () => tell('go'),
  };
}

async function spawnWithStreams(how: Parameters<typeof startLatched>[0]) {
  const { stdinFile, fenceFile, mechanism } = how;
  const perl = programOrFail('perl', mechanism);
  const streams = await openStreams({ stdinFile, folder: path.dirname(fenceFile), mechanism });
  const stdout = new Socket({ fd: streams.stdout, readable: true, writable: false });
  const stderr = new Socket({ fd: streams.stderr, readable: true, writable: false });
  try {
    const child = spawn(perl, [CLOSE_INHERITED, ...how.argv], {
      cwd: how.cwd,
      env: { ...how.env, ...FOR_PERL },
      // A session of its own: a Ctrl-C on a worker's terminal must not reach the agent past the engine.
      detached: true,
      stdio: [...streams.theirs, 'pipe', 'pipe'],
    });
    const ended = new Promise<CommandExit>((resolve) => {
      child.once('exit', (code, signal) => resolve({ code, signal }));
    });
    await once(child, 'spawn');
    // From here on only of a signal that could not be sent, as whoever sends it learns.
    child.on('error', () => undefined);
    return { child, ended, stdout, stderr };
  } catch (error) {
    for (const stream of [stdout, stderr]) stream.destroy();
    throw containerFailed(mechanism, messageOf(error));
  } finally {
    for (const fd of streams.theirs) closeSync(fd);
  }
}

function exitOf([, code, signal]: RegExpExecArray): CommandExit {
  const name = Object.entries(constants.signals).find(([, number]) => number === Number(signal))?.[0];
  return name !== undefined && isSignal(name) ? { code: null, signal: name } : { code: Number(code), signal: null };
}

function isSignal(name: string): name is NodeJS.Signals {
  return name in constants.signals;
}
