import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { mkdir, open, rename, stat } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { ralphError } from '../../schemas/errors/index.ts';
import type { Environment } from '../environment.ts';
import { hasCode } from '../../system/error-code.ts';
import type { ServicePaths } from '../home-paths.ts';
import { findOnPath } from '../../system/processes/on-path.ts';
import { isStopped } from '../../system/processes/process-identity.ts';
import { processTable } from '../../system/processes/process-table.ts';
import { HolderIdentity, isAlive, thisBoot } from './holder-identity.ts';
import { readIfValid } from '../read-if-valid.ts';

/** A process of which there is one per RALPH_HOME: it holds a lock for as long as it lives. See `hold-lock.sh`. */
export const Holder = HolderIdentity.extend({ fields: z.unknown() });
export type Holder = z.infer<typeof Holder>;

/** What `hold-lock.sh` exits with if somebody else holds the lock. */
export const LOCK_IS_HELD = 75;

const LOG_BYTES = 16 * 1024 * 1024;
const SHOWN_LOG_BYTES = 1000;
const POLL_MS = 20;

/** Who runs the service now, null where nobody does. */
export async function liveHolder(paths: ServicePaths): Promise<Holder | null> {
  const holder = await readIfValid(paths.holder, Holder);
  return holder !== null && isAlive(holder) ? holder : null;
}

export interface ServiceCommand {
  readonly paths: ServicePaths;
  readonly argv: readonly string[];
  /** The whole environment. */
  readonly env: Environment;
  readonly cwd: string;
  /** Kept beside the holder's identity, for whoever finds it. */
  readonly fields: Record<string, string | number>;
}

/** Start the service in a session of its own, its output in its log. It ends at once where one runs already. */
export async function startService(command: ServiceCommand): Promise<ChildProcess> {
  const { log } = command.paths;
  await mkdir(path.dirname(log), { recursive: true, mode: 0o700 });
  await setOldLogAside(log);
  const output = openSync(log, 'a', 0o600);
  try {
    return await spawnHolder(command, ['ignore', output, output]);
  } finally {
    closeSync(output);
  }
}

/** Like `startService`, with the caller's own standard streams. */
export async function spawnHolder(
  { paths, argv, env, cwd, fields }: ServiceCommand,
  stdio: 'inherit' | ['ignore', number, number],
): Promise<ChildProcess> {
  const missing = missingProgram(env['PATH']);
  if (missing !== null) throw ralphError('lock-program-missing', { program: missing });
  const [program, ...words] = holdingCommand({ paths, argv, env, fields });
  const child = spawn(program, words, { detached: true, stdio, env: { ...env, ...FOR_BASH }, cwd });
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', reject);
  });
  return child;
}

/** Of what `hold-lock.sh` needs. A macOS may lack flock, and has Perl. */
function missingProgram(searchPath: string | undefined): string | null {
  if (findOnPath('bash', searchPath) === null) return 'bash';
  return ['flock', 'perl'].every((name) => findOnPath(name, searchPath) === null) ? 'flock' : null;
}

/** A bash whose LC_ALL is not installed complains, into the service's log or onto the terminal. */
export const FOR_BASH = { LC_ALL: 'C' };

/** What takes the service's lock and becomes `argv`, with `env`. Start it with `FOR_BASH`. */
export function holdingCommand({
  paths,
  argv,
  env,
  fields,
}: Pick<ServiceCommand, 'paths' | 'argv' | 'env' | 'fields'>): readonly [program: string, ...words: string[]] {
  const script = fileURLToPath(new URL('hold-lock.sh', import.meta.url));
  const holding = [paths.lock, paths.holder, processTable.source, thisBoot(), JSON.stringify(fields)];
  const locale = env['LC_ALL'] === undefined ? ['-u', 'LC_ALL'] : [`LC_ALL=${env['LC_ALL']}`];
  // -p: nothing of the asker's startup files and functions.
  return ['bash', '-p', script, ...holding, ...locale, ...argv];
}

export type Stopped = { readonly kind: 'not-running' } | { readonly kind: 'stopped'; pid: number; forced: boolean };

/** SIGTERM, then after `graceMs` SIGKILL, which a process that was stopped gets at once; returns when it is gone. */
export async function stopService({ paths, graceMs }: { paths: ServicePaths; graceMs: number }): Promise<Stopped> {
  const holder = await liveHolder(paths);
  if (holder === null) return { kind: 'not-running' };
  signal(holder.pid, 'SIGTERM');
  const forced = isStopped(holder) || !(await isGone(holder, graceMs));
  if (forced) {
    signal(holder.pid, 'SIGKILL');
    if (!(await isGone(holder, 10_000))) throw new Error(`Process ${holder.pid} outlived SIGKILL by 10 s.`);
  }
  return { kind: 'stopped', pid: holder.pid, forced };
}

/** The last words of a log, for an error message. */
export async function logTail(log: string): Promise<string> {
  return (await fileTail(log, SHOWN_LOG_BYTES)).replaceAll(/\s+/g, ' ');
}

async function isGone(identity: HolderIdentity, withinMs: number): Promise<boolean> {
  const deadline = Date.now() + withinMs;
  while (isAlive(identity)) {
    if (Date.now() >= deadline) return false;
    await delay(POLL_MS);
  }
  return true;
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if (!hasCode(error, 'ESRCH')) throw error;
  }
}

async function setOldLogAside(log: string): Promise<void> {
  try {
    if ((await stat(log)).size > LOG_BYTES) await rename(log, `${log}.1`);
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error;
  }
}

/** The last `bytes` bytes of a file of ours as text, trimmed; "" where there is none. */
async function fileTail(file: string, bytes: number): Promise<string> {
  const handle = await open(file).catch((error: unknown) => {
    if (hasCode(error, 'ENOENT')) return null;
    throw error;
  });
  if (handle === null) return '';
  try {
    const { size } = await handle.stat();
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(bytes), 0, bytes, Math.max(0, size - bytes));
    return buffer.toString('utf8', 0, bytesRead).trim();
  } finally {
    await handle.close();
  }
}
