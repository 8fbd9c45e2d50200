import { chooseContainment } from '../agents/containment/choose-containment.ts';
import { workerState } from '../host/worker-process.ts';
import { ralphError } from '../schemas/errors/index.ts';
import type { Sandbox } from '../schemas/sandbox.ts';
import type { Deployment } from './deployment.ts';

/**
 * Refuse a sandbox that rounds could not be held to: by what the live worker found when it started, as its PATH may be
 * another than ours; where none is ready, by trying it here, as the worker to come gets this PATH. Throws RalphError.
 */
export async function refuseUnheld({ ralphHome }: Pick<Deployment, 'ralphHome'>, sandbox: Sandbox): Promise<void> {
  const worker = await workerState(ralphHome);
  const found =
    worker.kind !== 'ready'
      ? undefined
      : worker.sandboxes.find(({ level, network }) => level === sandbox.level && network === sandbox.network);
  if (worker.kind !== 'ready' || found === undefined) {
    await chooseContainment({ sandbox });
    return;
  }
  if (found.refusal === null) return;
  // Where it could be had by now, starting the worker again is all that is missing.
  await chooseContainment({ sandbox });
  throw ralphError('sandbox-not-of-worker', { pid: worker.pid, refusal: found.refusal });
}
