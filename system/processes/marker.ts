import { randomBytes } from 'node:crypto';

/**
 * A number that a command and what it starts bear, for finding them when nothing else does. A process can take it off,
 * so finding none proves nothing.
 *
 * On Linux a limit on real-time CPU use (microseconds, RLIMIT_RTTIME) so high that it limits nothing, and unique: it is
 * inherited through setsid, an emptied environment and namespaces, no one can raise it without privilege, and anyone
 * may read it of any process. Elsewhere a variable of the environment.
 */
export type Marker = number;

export const MARKER_VARIABLE = 'RALPH_MARKER';

const FLOOR = 2 ** 50;

export function newMarker(): Marker {
  return FLOOR + randomBytes(6).readUIntBE(0, 6);
}
