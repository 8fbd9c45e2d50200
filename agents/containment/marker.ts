import { randomBytes } from 'node:crypto';
import { findOnPath } from '../../system/on-path.ts';
import { readProcIfShown, readProcesses } from './process-table.ts';
import type { ProcessEntry } from './process-table.ts';
import { hasEnded } from './process-identity.ts';

/**
 * A limit on real-time CPU use (microseconds, RLIMIT_RTTIME) so high that it limits nothing, and unique. Children
 * inherit it through setsid, an emptied environment and namespaces; no one can raise it without privilege; and anyone
 * may read it of any process. A process can lower its own, so finding none proves nothing: markers are for recovery.
 */
export type Marker = number;

const FLOOR = 2 ** 50;

export function newMarker(): Marker {
  return FLOOR + randomBytes(6).readUIntBE(0, 6);
}

/** Processes that carry the marker and still run. */
export function markedProcesses(marker: Marker): ProcessEntry[] {
  const limit = new RegExp(`^Max realtime timeout +${marker} `, 'm');
  return readProcesses().filter((entry) => {
    const limits = readProcIfShown(`${entry.pid}/limits`);
    return limits !== null && limit.test(limits) && !hasEnded(entry);
  });
}

/** A command with the marker put on it; as it is where the system has no prlimit. */
export function marked(argv: readonly [string, ...string[]], marker: Marker): [string, ...string[]] {
  const prlimit = findOnPath('prlimit', process.env.PATH);
  return prlimit === null ? [...argv] : [prlimit, `--rttime=${marker}:${marker}`, ...argv];
}
