import os from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { type RunningServer, serverState } from '../../host/server/embedded-server.ts';
import { waitNotes } from '../../host/wait-notes.ts';
import { RalphError, ralphError } from '../../schemas/errors/index.ts';
import { diskRoom, fullDiskText } from '../../system/disk-room.ts';
import { messageOf } from '../../system/error-code.ts';
import { identityOf, isStopped } from '../../system/processes/process-identity.ts';
import { connect, isOutage, type TemporalLink } from './connect.ts';
import type { Deployment } from './deployment.ts';

/** A machine with a load of 30 answers within seconds; what takes longer is more than that. */
const PATIENCE_MS = 180_000;
const AGAIN_MS = 250;

type OnNote = (note: string) => void;

/**
 * Connect to the embedded server. While it holds its lock it is waited for, and `onNote` is told: the machine may be busy.
 * Null: it ended meanwhile, or came back at another address. Throws RalphError.
 */
export async function connectEmbedded(
  deployment: Deployment,
  { server, onNote }: { server: RunningServer; onNote: OnNote },
): Promise<TemporalLink | null> {
  const { address, webAddress } = server;
  return await whileItLives(deployment, { server, onNote }, () =>
    connect(deployment, { connection: { address }, pages: webAddress }),
  );
}

/** Ask something of the embedded server, again if it does not answer, in the same way. What is asked may arrive twice. */
export async function whileItLives<Answer>(
  { ralphHome }: Deployment,
  { server, onNote }: { server: RunningServer; onNote: OnNote },
  ask: () => Promise<Answer>,
): Promise<Answer | null> {
  const began = Date.now();
  let silence: RalphError | null = null;
  const note = waitNotes({ onNote, text: () => `Waiting for Temporal. ${silence === null ? '' : silence.message}` });
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (!isSilence(error)) throw error;
      const state = await serverState(ralphHome);
      if (state.kind === 'down' || state.pid !== server.pid) return null;
      silence = await whySilent(ralphHome, { server, reason: reasonOf(error) });
      // A server that was stopped does not go on by itself.
      if (silence.code === 'server-stopped' || Date.now() - began > PATIENCE_MS) throw silence;
      note();
      await delay(AGAIN_MS);
    }
  }
}

/** Why an embedded server that lives does not answer, as far as this machine shows. */
export async function whySilent(
  ralphHome: string,
  { server: { pid, address }, reason }: { server: Pick<RunningServer, 'pid' | 'address'>; reason: string },
): Promise<RalphError> {
  const room = await diskRoom(ralphHome);
  if (room.kind === 'full') return ralphError('home-disk-full', { full: fullDiskText(room) });
  const identity = identityOf(pid);
  if (identity !== null && isStopped(identity)) return ralphError('server-stopped', { pid });
  const [load = 0] = os.loadavg();
  return ralphError('server-not-answering', { pid, address, reason, load, cores: os.availableParallelism() });
}

const isSilence = (error: unknown): boolean =>
  (error instanceof RalphError && error.code === 'temporal-unreachable') || isOutage(error);

/** What lies behind an error of Temporal's client, which says no more than what failed. */
export function reasonOf(error: unknown): string {
  return error instanceof Error && error.cause !== undefined ? reasonOf(error.cause) : messageOf(error);
}
