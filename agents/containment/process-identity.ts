import { readProcess } from './process-table.ts';
import type { ProcessEntry } from './process-table.ts';
import type { ProcessIdentity } from './containment.ts';
import { errorCode } from '../../system/error-code.ts';

export function identityOf(pid: number): ProcessIdentity | null {
  const entry = readProcess(pid);
  return entry === null ? null : { pid, startTime: entry.startTime };
}

/**
 * Whether that very process still runs. A zombie does not: it has ended and holds nothing but its exit status.
 * @throws where that cannot be seen
 */
export function isAlive({ pid, startTime }: ProcessIdentity): boolean {
  const entry = readProcess(pid);
  return entry !== null && entry.startTime === startTime && !hasEnded(entry);
}

export function hasEnded({ state }: ProcessEntry): boolean {
  return state === 'Z' || state === 'X';
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
