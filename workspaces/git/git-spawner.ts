import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { Socket } from 'node:net';
import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';
import { getSystemErrorName } from 'node:util';
import { ralphError } from '../../schemas/errors/index.ts';
import { errorCode } from '../../system/error-code.ts';

/** A command to start, and who hears what it prints. */
export interface LeanCommand {
  readonly argv: readonly string[];
  readonly cwd: string;
  /** The whole environment. */
  readonly env: Readonly<Record<string, string>>;
  readonly stdin: { readonly file: string } | { readonly bytes: Buffer };
  /** Null: to `onStdout`. The file must exist. */
  readonly stdoutFile: string | null;
  readonly onStdout: (bytes: Buffer) => void;
  readonly onStderr: (bytes: Buffer) => void;
  /** Aborted, the command and its whole process group are killed. */
  readonly signal: AbortSignal;
}

export interface LeanEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** The helper was killed in the middle of a call; what it had started may go on for a moment. */
export class SpawnerLost extends Error {
  override readonly name = 'SpawnerLost';
}

const SCRIPT = fileURLToPath(new URL('git-spawner.pl', import.meta.url));
const MOST_IDLE = 4;
const FRAME_HEAD = 5;

interface Spawner {
  readonly child: ChildProcess;
  readonly to: Socket;
  readonly from: Socket;
}

const idle: Spawner[] = [];

/**
 * Run a command to its end in a process of its own, started by a small helper: a fork of this process copies the page
 * tables of all its memory, several milliseconds for each of a round's many git commands. Helpers wait for the next call
 * without keeping this process alive, and end with it.
 * Rejects with an errno (ENOENT and the like) where the command cannot be started, and with SpawnerLost.
 */
export async function runLean(command: LeanCommand): Promise<LeanEnd> {
  const spawner = idle.pop() ?? (await newSpawner());
  keepAlive(spawner, true);
  const kill = (): void => void spawner.to.write('k');
  command.signal.addEventListener('abort', kill, { once: true });
  try {
    const end = await call(spawner, command);
    keepAlive(spawner, false);
    if (!command.signal.aborted && idle.length < MOST_IDLE) idle.push(spawner);
    else spawner.to.end();
    return end;
  } catch (error) {
    spawner.to.end();
    throw error;
  } finally {
    command.signal.removeEventListener('abort', kill);
  }
}

async function newSpawner(): Promise<Spawner> {
  const child = spawn('perl', [SCRIPT], {
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'pipe', 'inherit'],
    // Perl complains about a LANG that is not installed. What it starts has an environment of its own.
    env: { ...process.env, LC_ALL: 'C' },
  });
  try {
    await once(child, 'spawn');
  } catch (error) {
    throw errorCode(error) === 'ENOENT' ? ralphError('perl-missing', {}, { cause: error }) : error;
  }
  const { stdin: to, stdout: from } = child;
  if (!(to instanceof Socket) || !(from instanceof Socket)) throw new TypeError('spawn gave no pipes');
  const spawner = { child, to, from };
  // EPIPE where it was killed: its end is seen by whoever calls.
  to.on('error', () => undefined);
  from.once('close', () => {
    const at = idle.indexOf(spawner);
    if (at !== -1) idle.splice(at, 1);
  });
  return spawner;
}

function keepAlive({ child, to, from }: Spawner, alive: boolean): void {
  for (const handle of [child, to, from]) {
    if (alive) handle.ref();
    else handle.unref();
  }
}

function call({ to, from }: Spawner, command: LeanCommand): Promise<LeanEnd> {
  return new Promise((resolve, reject) => {
    let buffered: Buffer = Buffer.alloc(0);
    const lost = (): void => reject(new SpawnerLost('the process that starts git was killed'));
    const hear = (bytes: Buffer): void => {
      buffered = buffered.length === 0 ? bytes : Buffer.concat([buffered, bytes]);
      while (buffered.length >= FRAME_HEAD) {
        const end = FRAME_HEAD + buffered.readUInt32BE(1);
        if (buffered.length < end) return;
        const kind = buffered.toString('latin1', 0, 1);
        const content = buffered.subarray(FRAME_HEAD, end);
        buffered = buffered.subarray(end);
        if (kind === 'o') command.onStdout(content);
        else if (kind === 'e') command.onStderr(content);
        else {
          from.off('data', hear).off('close', lost);
          if (kind === 'x') resolve(endOf(content.toString()));
          else reject(startError(Number(content.toString()), command));
        }
      }
    };
    from.on('data', hear).once('close', lost);
    if (from.destroyed) lost();
    to.write(requestOf(command));
  });
}

function requestOf({ argv, cwd, env, stdin, stdoutFile }: LeanCommand): Buffer {
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  const from = 'file' in stdin ? stdin.file : '';
  const fed = 'file' in stdin ? Buffer.alloc(0) : stdin.bytes;
  const words = [cwd, from, stdoutFile ?? '', String(variables.length), ...variables, ...argv];
  const text = Buffer.from(words.map((word) => `${word}\0`).join(''));
  const lengths = Buffer.alloc(8);
  lengths.writeUInt32BE(text.length, 0);
  lengths.writeUInt32BE(fed.length, 4);
  return Buffer.concat([lengths, text, fed]);
}

function endOf(text: string): LeanEnd {
  const [code, number] = text.split(' ').map(Number);
  const name = Object.entries(constants.signals).find(([, each]) => each === number)?.[0];
  return name !== undefined && isSignal(name) ? { code: null, signal: name } : { code: code ?? null, signal: null };
}

function isSignal(name: string): name is NodeJS.Signals {
  return name in constants.signals;
}

function startError(errno: number, { argv, cwd }: LeanCommand): Error {
  const code = getSystemErrorName(-errno);
  return Object.assign(new Error(`${argv[0]} could not be started in ${cwd}: ${code}`), { code, errno: -errno });
}
