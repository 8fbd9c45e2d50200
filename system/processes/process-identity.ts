import { errorCode } from '../error-code.ts';
import { hasEnded, type ProcessEntry, type ProcessIdentity } from './process-entry.ts';
import { processTable } from './process-table.ts';

export function identityOf(pid: number): ProcessIdentity | null {
  const [entry] = processTable.read([pid]);
  return entry === undefined ? null : { pid, startTime: entry.startTime };
}

/**
 * Whether that very process still runs. A zombie does not: it has ended and holds nothing but its exit status.
 * @throws where that cannot be seen
 */
export function isAlive(process_: ProcessIdentity): boolean {
  return stillAlive([process_]).length > 0;
}

/** Those that still run. @throws where that cannot be seen */
export function stillAlive(processes: readonly ProcessIdentity[]): ProcessEntry[] {
  const startTimes = new Map(processes.map(({ pid, startTime }) => [pid, startTime]));
  return processTable
    .read([...startTimes.keys()])
    .filter((entry) => entry.startTime === startTimes.get(entry.pid) && !hasEnded(entry));
}

/** By SIGSTOP: it does nothing, and may come back at any time. */
export function isStopped(process_: ProcessIdentity): boolean {
  return stillAlive([process_]).some(({ state }) => state === 'T');
}

export type KillResult = 'sent' | 'gone' | 'not-permitted';

/** Signal a process, having looked right before that its pid was not taken over by another one. */
export function killProcess(process_: ProcessIdentity, signal: NodeJS.Signals): KillResult {
  if (!isAlive(process_)) return 'gone';
  try {
    process.kill(process_.pid, signal);
    return 'sent';
  } catch (error) {
    if (errorCode(error) === 'ESRCH') return 'gone';
    if (errorCode(error) === 'EPERM') return 'not-permitted';
    throw error;
  }
}
