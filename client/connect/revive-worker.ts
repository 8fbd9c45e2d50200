import { workerEntry } from '../../host/package-root.ts';
import { ensureWorker, workerState } from '../../host/worker-process/worker-process.ts';
import { readWorkerRecord } from '../../host/worker-process/worker-record.ts';
import type { TemporalLink } from './connect.ts';
import type { Deployment } from './deployment.ts';

/**
 * Start the embedded server's worker again where it died, or does nothing as it got SIGSTOP. One that was ended took its
 * record with it, and stays down. Whether one was started.
 */
export async function reviveWorker({ ralphHome, env, settings }: Deployment, link: TemporalLink): Promise<boolean> {
  if (settings.server.source === 'external') return false;
  const { kind } = await workerState(ralphHome);
  if ((kind !== 'down' && kind !== 'stopped') || (await readWorkerRecord(ralphHome)) === null) return false;
  const temporal = { source: 'embedded', address: link.address, namespace: link.namespace } as const;
  // It was down, so there is none of another version to tell of.
  await ensureWorker({ ralphHome, env, entry: await workerEntry(), temporal, onNote: () => {} });
  return true;
}
