import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync } from 'node:fs';
import { Socket } from 'node:net';
import { constants } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { Duplex, Readable } from 'node:stream';
import { containerFailed, programOrFail } from '../choose/container-errors.ts';
import type { Mechanism } from '../../../schemas/round/receipt.ts';
import type { CommandExit } from '../containment.ts';
import { messageOf } from '../../../system/error-code.ts';
import { closeInherited } from '../../../system/processes/close-inherited.ts';
import { openStreams } from './streams.ts';

/** Where a start barrier speaks with us, line by line. Closed before the command runs. */
const BARRIER_FD = 4;

/** Far more than any barrier or subreaper says. A command got hold of its barrier then, and means no good. */
const MOST_HEARD_BYTES = 4 * 1024 * 1024;

/**
 * The start barrier: a shell that stands in front of the command inside the container. It says `ready` once the container
 * is complete. It starts the command only when told `go`; an end of file, as when the worker died, is no `go`. It stays
 * when the command has ended, so that what the command left can be listed before it is killed.
 */
const BARRIER = `
echo ready >&${BARRIER_FD}
IFS= read -r word <&${BARRIER_FD} && [ "$word" = go ] || exit 125
( echo started >&${BARRIER_FD}; exec 3>&- ${BARRIER_FD}>&-; exec "$@" )
code=$?
exec </dev/null >/dev/null 2>&1
echo "exit $code" >&${BARRIER_FD}
read -r word <&${BARRIER_FD}
`;

/** The words that start a command behind a barrier. As any shell, it reports the end by signal n as exit code 128 + n. */
export function behindBarrier(argv: readonly string[]): [string, ...string[]] {
  return ['/bin/sh', '-c', BARRIER, 'ralph-barrier', ...argv];
}

/**
 * A command that was started behind its barrier and waits there. The barrier, or the subreaper in its place, says `ready`,
 * then after `go` `started`, then `exit CODE [SIGNAL]` when the command has ended.
 */
export interface HeldCommand {
  readonly pid: number | null;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** What a wrapping program says on file descriptor 3. */
  readonly status: Readable;
  /** True once the container is complete; false: it ended before that. */
  readonly ready: Promise<boolean>;
  /** The command's own end, or, if its barrier was killed, that of the container. */
  readonly exited: Promise<CommandExit>;
  /** Let the command start. */
  go(): void;
  /** After `go`: whether there was a process for the command to become. */
  readonly started: Promise<boolean>;
  /** Say a line to the barrier. Nothing happens if it is gone. */
  tell(line: string): void;
  /** Hang up on the barrier: for when its container was ended. */
  close(): void;
  /** SIGKILL to the program that was started, which is our child: its pid cannot be another's. */
  kill(): void;
  /** The first line that matches; null: the barrier was gone before it said so. Ask before it may be said. */
  said(pattern: RegExp): Promise<RegExpExecArray | null>;
}

/** @throws RalphError `container-failed`, `disk-full`; the system's error where `stdinFile` cannot be read. Nothing was started then. */
export async function startHeld(how: {
  argv: readonly [string, ...string[]];
  env: Readonly<Record<string, string>>;
  cwd: string;
  stdinFile: string;
  fenceFile: string;
  mechanism: Mechanism;
}): Promise<HeldCommand> {
  const { child, ended, stdout, stderr } = await spawnWithStreams(how);
  const [, , , status, barrier] = child.stdio;
  if (!(status instanceof Readable) || !(barrier instanceof Duplex)) throw new TypeError('spawn gave no sockets');
  // Whoever reads the other end may be gone at any moment; `exited` reports its end.
  barrier.on('error', () => undefined);
  let heard = 0;
  barrier.on('data', (chunk: Buffer) => {
    heard += chunk.length;
    if (heard > MOST_HEARD_BYTES) barrier.destroy();
  });

  const lines = createInterface({ input: barrier });
  // It hands errors on: ECONNRESET if the barrier was killed with a word of ours unread. No more lines come then.
  lines.on('error', () => undefined);
  barrier.once('close', () => lines.close());
  const said: HeldCommand['said'] = (pattern) =>
    new Promise((resolve) => {
      lines.once('close', () => resolve(null));
      lines.on('line', (line) => {
        const match = pattern.exec(line);
        if (match !== null) resolve(match);
      });
    });
  const tell = (line: string): void => void barrier.write(`${line}\n`);
  return {
    pid: child.pid ?? null,
    stdout,
    stderr,
    status,
    said,
    tell,
    close: () => {
      for (const stream of [status, barrier]) stream.destroy();
    },
    kill: () => void child.kill('SIGKILL'),
    ready: Promise.race([said(/^ready$/).then((line) => line !== null), ended.then(() => false)]),
    started: said(/^started$/).then((line) => line !== null),
    exited: said(/^exit (\d+) ?(\d*)$/).then((line) => (line === null ? ended : exitOf(line))),
    go: () => tell('go'),
  };
}

async function spawnWithStreams(how: Parameters<typeof startHeld>[0]) {
  const { stdinFile, fenceFile, mechanism } = how;
  const [program, ...words] = withNothingInherited(how.argv, mechanism);
  const streams = await openStreams({ stdinFile, folder: path.dirname(fenceFile), mechanism });
  const stdout = new Socket({ fd: streams.stdout, readable: true, writable: false });
  const stderr = new Socket({ fd: streams.stderr, readable: true, writable: false });
  try {
    const child = spawn(program, words, {
      cwd: how.cwd,
      env: how.env,
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

/**
 * A command that has the descriptors 0 to 4 and no other. On Linux this process has closed what it inherited. Elsewhere
 * nobody says what was inherited, and a line of Perl closes all.
 */
function withNothingInherited(
  argv: readonly [string, ...string[]],
  mechanism: Mechanism,
): readonly [string, ...string[]] {
  closeInherited();
  if (process.platform === 'linux') return argv;
  return [programOrFail('perl', mechanism), '-MPOSIX', '-e', CLOSE_ALL, ...argv];
}

const CLOSE_ALL = 'POSIX::close($_) for 5 .. POSIX::sysconf(&POSIX::_SC_OPEN_MAX); exec { $ARGV[0] } @ARGV';

function exitOf([, code, signal]: RegExpExecArray): CommandExit {
  const name = Object.entries(constants.signals).find(([, number]) => number === Number(signal))?.[0];
  return name !== undefined && isSignal(name) ? { code: null, signal: name } : { code: Number(code), signal: null };
}

function isSignal(name: string): name is NodeJS.Signals {
  return name in constants.signals;
}
