import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { z } from 'zod';
import { hasCode } from '../system/error-code.ts';

/** A process that cannot be mistaken for a later one with the same pid, nor for one before a reboot. */
export const ProcessIdentity = z.object({
  pid: z.int().positive(),
  /** Linux: field 22 of /proc/<pid>/stat. Elsewhere: `ps -o lstart=`. */
  startTime: z.string(),
  bootId: z.string(),
});
export type ProcessIdentity = z.infer<typeof ProcessIdentity>;

const run = promisify(execFile);

/** Changes with every boot of this machine. */
export async function readBootId(): Promise<string> {
  if (process.platform === 'linux') return (await readFile('/proc/sys/kernel/random/boot_id', 'utf8')).trim();
  return (await run('sysctl', ['-n', 'kern.bootsessionuuid'])).stdout.trim();
}

/** This very process. */
export async function ownIdentity(): Promise<ProcessIdentity> {
  const startTime = await readStartTime(process.pid);
  if (startTime === null) throw new Error(`Process ${process.pid} does not find itself.`);
  return { pid: process.pid, startTime, bootId: await readBootId() };
}

export async function isAlive({ pid, startTime, bootId }: ProcessIdentity): Promise<boolean> {
  return (await readStartTime(pid)) === startTime && (await readBootId()) === bootId;
}

/** Whether it was stopped (SIGSTOP): it does nothing, and may come back at any time. Not known off Linux. */
export async function isStopped({ pid }: ProcessIdentity): Promise<boolean> {
  if (process.platform !== 'linux') return false;
  const stat = await readStat(pid);
  return stat !== null && stat.state === 'T';
}

export const isSame = (a: ProcessIdentity, b: ProcessIdentity): boolean =>
  a.pid === b.pid && a.startTime === b.startTime && a.bootId === b.bootId;

/** Null: no such process, or one that has ended and waits to be reaped. */
async function readStartTime(pid: number): Promise<string | null> {
  return process.platform === 'linux' ? await startTimeFromProc(pid) : await startTimeFromPs(pid);
}

async function startTimeFromProc(pid: number): Promise<string | null> {
  const stat = await readStat(pid);
  return stat === null || stat.state === 'Z' || stat.state === 'X' ? null : stat.startTime;
}

async function readStat(pid: number): Promise<{ state: string; startTime: string } | null> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
    // The name in parentheses may hold anything, so count from behind it.
    const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const startTime = fields[18];
    return state === undefined || startTime === undefined ? null : { state, startTime };
  } catch (error) {
    if (hasCode(error, 'ENOENT') || hasCode(error, 'ESRCH')) return null;
    throw error;
  }
}

async function startTimeFromPs(pid: number): Promise<string | null> {
  try {
    return (await run('ps', ['-o', 'lstart=', '-p', String(pid)])).stdout.trim();
  } catch {
    // ps fails in one way only where it runs at all: there is no such process.
    return null;
  }
}
