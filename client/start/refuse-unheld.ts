import { chooseContainment } from '../../agents/containment/choose/choose-containment.ts';
import { findOnPath } from '../../system/processes/on-path.ts';
import { workerState } from '../../host/worker-process/worker-process.ts';
import { ralphError } from '../../schemas/errors/index.ts';
import type { Sandbox } from '../../schemas/run/sandbox.ts';
import type { Deployment } from '../connect/deployment.ts';

/**
 * Refuse a sandbox that rounds could not be held to. What the live worker found to work when it started counts, as its
 * PATH may be another than ours; what it did not, it tries again for every run, so here it is tried too. Where no worker
 * is ready, the one to come gets this PATH. Throws RalphError.
 */
export async function refuseUnheld({ ralphHome }: Pick<Deployment, 'ralphHome'>, sandbox: Sandbox): Promise<void> {
  const worker = await workerState(ralphHome);
  if (worker.kind !== 'ready') {
    await chooseContainment({ sandbox });
    return;
  }
  const found = worker.sandboxes.find(({ level, network }) => level === sandbox.level && network === sandbox.network);
  if (found?.refusal === null) return;
  await chooseContainment({ sandbox });
  if (found === undefined || findOnPath('bwrap', worker.searchPath) !== null) return;
  throw ralphError('sandbox-not-of-worker', { pid: worker.pid, refusal: found.refusal });
}
