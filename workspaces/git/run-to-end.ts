import { spawn, type ChildProcess } from 'node:child_process';
import { open } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { findOnPath } from '../../system/processes/on-path.ts';

/** A user and their group. */
export interface Owner {
  readonly uid: number;
  readonly gid: number;
}

/** A program to run to its end, and who receives what it prints. */
export interface Command {
  /** The program's name is looked up on the PATH of `env`. */
  readonly argv: readonly [string, ...string[]];
  readonly cwd: string;
  /** Null: as this user. */
  readonly as: Owner | null;
  /** The whole environment. */
  readonly env: Readonly<Record<string, string>>;
  readonly stdin: { readonly file: string } | { readonly bytes: Buffer };
  /** Null: to `onStdout`. Else stdout is appended to this file. */
  readonly stdoutFile: string | null;
  readonly onStdout: (bytes: Buffer) => void;
  readonly onStderr: (bytes: Buffer) => void;
  /** When it aborts, the program and its whole process group are ended. */
  readonly signal: AbortSignal;
}

export interface End {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** From SIGTERM to SIGKILL: git removes its lock files when it is terminated, and leaves them when it is killed. */
const GRACE_MS = 1_000;
const POLL_MS = 20;

/**
 * Run a program in a process group of its own until it, and all that hold its output, have ended.
 * On Linux the kernel also terminates it when this process dies (`setpriv --pdeathsig`). Where setpriv cannot do that,
 * it ends when it next writes to its closed output, or when its work is done.
 * Rejects with the system's error (ENOENT and the like) where it cannot be started.
 */
export async function runToEnd(command: Command): Promise<End> {
  const { argv, cwd, as, env, stdin, stdoutFile, signal } = command;
  const [name, ...words] = argv;
  const path = env['PATH'] ?? '';
  const program = findOnPath(name, path);
  if (program === null) throw Object.assign(new Error(`${name} is not on the PATH ${path}`), { code: 'ENOENT' });
  const [file, ...before] = [...(await prefixFor(path, as)), program];
  const input = 'file' in stdin ? await open(stdin.file, 'r') : null;
  const output = stdoutFile === null ? null : await open(stdoutFile, 'a', 0o600);
  try {
    const child = spawn(file, [...before, ...words], {
      cwd,
      env,
      detached: true,
      stdio: [input === null ? 'pipe' : input.fd, output === null ? 'pipe' : output.fd, 'pipe'],
    });
    child.stdout?.on('data', command.onStdout);
    child.stderr?.on('data', command.onStderr);
    // EPIPE: the program ended without reading everything. Its exit code says why.
    child.stdin?.on('error', () => undefined);
    if ('bytes' in stdin) child.stdin?.end(stdin.bytes);
    return await endOf(child, signal);
  } finally {
    await Promise.all([input?.close(), output?.close()]);
  }
}

function endOf(child: ChildProcess, signal: AbortSignal): Promise<End> {
  return new Promise((resolve, reject) => {
    const stop = (): void => void endGroup(child);
    child.once('error', reject);
    child.once('close', (code, killedBy) => {
      signal.removeEventListener('abort', stop);
      resolve({ code, signal: killedBy });
    });
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
}

async function endGroup({ pid }: ChildProcess): Promise<void> {
  if (pid === undefined) return;
  for (let waited = 0; waited < GRACE_MS; waited += POLL_MS) {
    if (!signalGroup(pid, waited === 0 ? 'SIGTERM' : 0)) return;
    await delay(POLL_MS);
  }
  signalGroup(pid, 'SIGKILL');
}

/** False where nobody is left in the group. */
function signalGroup(leader: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-leader, signal);
  } catch {
    return false;
  }
}

/**
 * What to put before a program so that it dies with this process, and belongs to another user if one is given. Nothing
 * where this system cannot do that.
 */
function prefixFor(path: string, as: Owner | null): Promise<readonly string[]> {
  const key = `${as === null ? '' : `${as.uid}:${as.gid}`} ${path}`;
  const known = prefixes.get(key) ?? probePrefix(path, as);
  prefixes.set(key, known);
  return known;
}

const prefixes = new Map<string, Promise<readonly string[]>>();

/** The other user may not be able to enter the folders above a repository that is mounted there. */
const ENTER_ALL = '--inh-caps +dac_read_search --ambient-caps +dac_read_search --securebits +no_setuid_fixup';

async function probePrefix(path: string, as: Owner | null): Promise<readonly string[]> {
  const setpriv = process.platform === 'linux' ? findOnPath('setpriv', path) : null;
  const harmless = findOnPath('true', path);
  if (setpriv !== null && harmless !== null) {
    const user = as === null ? [] : ['--reuid', String(as.uid), '--regid', String(as.gid), '--clear-groups'];
    for (const rights of as === null ? [[]] : [ENTER_ALL.split(' '), []]) {
      const prefix = [setpriv, '--pdeathsig', 'TERM', ...user, ...rights, '--'];
      if (await canRun([...prefix, harmless])) return prefix;
    }
  }
  if (as === null) return [];
  throw Object.assign(new Error(`no program can be run as user ${as.uid} here`), { code: 'EPERM' });
}

function canRun([program = '', ...args]: readonly string[]): Promise<boolean> {
  const probe = spawn(program, args, { stdio: 'ignore' });
  return new Promise((resolve) => {
    probe.once('close', (code) => resolve(code === 0)).once('error', () => resolve(false));
  });
}
