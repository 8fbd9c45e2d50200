import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { open } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { Duplex, Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import type { CommandExit } from './containment.ts';

/** Where the gate speaks with us; the file descriptor is closed before the command runs. */
const GATE_FD = 4;

/**
 * A shell that stands in front of the command inside the container. It says `ready` once the container is complete,
 * lets the command start only when told `go` — an end of file, as when the worker died, is no `go` — and stays when
 * the command has ended, so that what it left can still be listed before it is killed.
 */
const GATE = `
echo ready >&${GATE_FD}
IFS= read -r word <&${GATE_FD} && [ "$word" = go ] || exit 125
( exec 3>&- ${GATE_FD}>&-; exec "$@" )
code=$?
exec </dev/null >/dev/null 2>&1
echo "exit $code" >&${GATE_FD}
read -r word <&${GATE_FD}
`;

export interface Gated {
  readonly child: ChildProcess;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** What the wrapping program says on file descriptor 3. */
  readonly status: Readable;
  /** True once the container is complete; false: it ended before that. */
  readonly ready: Promise<boolean>;
  /** Let the command start, and feed it its standard input. */
  go(): void;
  /** The command's own end, or, where its gate was killed, that of the container. */
  readonly exited: Promise<CommandExit>;
}

/**
 * Start a command behind a gate, within the program and arguments of `wrap`.
 * @throws where `stdinFile` cannot be read: nothing was started then.
 */
export async function startGated(how: {
  wrap: readonly string[];
  argv: readonly string[];
  env: Readonly<Record<string, string>>;
  cwd: string;
  stdinFile: string;
}): Promise<Gated> {
  // A pipe is fed from it, rather than the file handed over: through /proc/self/fd/0 the command could write to it.
  const input = await open(how.stdinFile);
  const [program, ...args] = [...how.wrap, '/bin/sh', '-c', GATE, 'ralph-gate', ...how.argv];
  const child = spawn(program ?? '/bin/sh', args, {
    cwd: how.cwd,
    env: how.env,
    // A session of its own: a Ctrl-C on a worker's terminal must not reach the agent past the engine.
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe', 'pipe', 'pipe'],
  });
  const [stdin, stdout, stderr, status, gate] = child.stdio;
  if (!(stdin && stdout && stderr) || !(status instanceof Readable) || !(gate instanceof Duplex)) {
    throw new TypeError('spawn gave no pipes');
  }
  const ended = new Promise<CommandExit>((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }));
    child.once('error', () => resolve({ code: 127, signal: null }));
  });
  // Whoever reads the other ends may be gone at any moment; their end is what `exited` reports.
  for (const stream of [stdin, gate]) stream.on('error', () => undefined);

  const lines = createInterface({ input: gate });
  const said = (pattern: RegExp): Promise<RegExpExecArray> =>
    new Promise((resolve) => {
      lines.on('line', (line) => {
        const match = pattern.exec(line);
        if (match !== null) resolve(match);
      });
    });
  void ended.then(() => input.close());
  const exitCode = said(/^exit (\d+)$/).then((match) => ({ code: Number(match[1]), signal: null }));
  return {
    child,
    stdout,
    stderr,
    status,
    ready: Promise.race([said(/^ready$/).then(() => true), ended.then(() => false)]),
    exited: Promise.race([exitCode, ended]),
    go: () => {
      gate.write('go\n');
      input
        .createReadStream()
        .on('error', (error) => stdin.destroy(error))
        .pipe(stdin);
    },
  };
}

const MAX_CAUSE_CHARS = 400;

/** Why a container ended before its command could start: its last words, bounded. */
export async function whyNotUp({ stderr }: Gated): Promise<string> {
  const words: string[] = [];
  stderr.setEncoding('utf8').on('data', (chunk: string) => words.push(chunk));
  await Promise.race([once(stderr, 'close'), delay(LAST_WORDS_MS, undefined, { ref: false })]);
  return words.join('').trim().slice(-MAX_CAUSE_CHARS) || 'it ended without a word';
}

const LAST_WORDS_MS = 500;
