import { setTimeout as delay } from 'node:timers/promises';
import { ensureServer, serverState } from './embedded-server.ts';
import type { Environment } from '../environment.ts';
import { hasCode, messageOf } from '../../system/error-code.ts';

const LOOK_MS = 2000;

/**
 * Start the embedded server again whenever it dies, until `signal` is aborted: a run of many hours survives a server
 * that the system killed at night. Returns 'moved' where it came back on another port, as its own was taken: whoever is
 * connected to `address` must connect anew.
 */
export async function keepServer({
  address,
  signal,
  ...how
}: {
  address: string;
  ralphHome: string;
  env: Environment;
  signal: AbortSignal;
  onNote: (note: string) => void;
}): Promise<'aborted' | 'moved'> {
  for (;;) {
    if (await isAborted(signal)) return 'aborted';
    if ((await serverState(how.ralphHome)).kind !== 'down') continue;
    how.onNote('The embedded Temporal server is gone; starting it again.');
    try {
      if ((await ensureServer(how)).address !== address) return 'moved';
    } catch (error) {
      // Whatever keeps it from starting may pass (a full disk, say); the worker's work goes on meanwhile.
      how.onNote(messageOf(error));
    }
  }
}

async function isAborted(signal: AbortSignal): Promise<boolean> {
  try {
    await delay(LOOK_MS, undefined, { signal });
  } catch (error) {
    if (!hasCode(error, 'ABORT_ERR')) throw error;
  }
  return signal.aborted;
}
