import { existsSync } from 'node:fs';
import { chooseContainment } from '../../agents/containment/choose/choose-containment.ts';
import { checkAgent } from '../../agents/registry.ts';
import { checkBudgets } from '../../agents/usage/check-budgets.ts';
import { readPrices } from '../../agents/usage/read-prices.ts';
import { workerState } from '../../host/worker-process/worker-process.ts';
import type { Budgets } from '../../schemas/budget/budget.ts';
import { ralphError } from '../../schemas/errors/index.ts';
import { agentsOf, type RunRequest } from '../../schemas/run/run.ts';
import type { Sandbox } from '../../schemas/run/sandbox.ts';
import { findOnPath } from '../../system/processes/on-path.ts';
import type { Deployment } from '../connect/deployment.ts';

/** Check what a new run and a follow-up both need on this machine: agents, prices, readable paths, the sandbox. Throws RalphError. */
export async function checkLaunch(
  deployment: Pick<Deployment, 'ralphHome'>,
  request: Pick<RunRequest, 'agent' | 'fallbackAgent' | 'reviewer' | 'sandbox'>,
  budgets: Budgets,
): Promise<void> {
  const prices = await readPrices(deployment.ralphHome);
  for (const spec of agentsOf(request)) {
    checkAgent(spec);
    checkBudgets(spec, budgets, prices);
  }
  const missing = request.sandbox.readable.find((place) => !existsSync(place));
  if (missing !== undefined) throw ralphError('readable-missing', { path: missing });
  await rejectUnenforceable(deployment, request.sandbox);
}

/**
 * Reject a sandbox that this machine cannot enforce. What the live worker found at its start counts, because its PATH may
 * differ from ours; what it did not find it tries again for every run, so it is tried here too. If no worker is ready, the
 * next one gets this PATH. Throws RalphError.
 */
export async function rejectUnenforceable(
  { ralphHome }: Pick<Deployment, 'ralphHome'>,
  sandbox: Sandbox,
): Promise<void> {
  const worker = await workerState(ralphHome);
  if (worker.kind !== 'ready') {
    await chooseContainment({ sandbox });
    return;
  }
  const found = worker.sandboxes.find(({ level, network }) => level === sandbox.level && network === sandbox.network);
  if (found?.cause === null) return;
  await chooseContainment({ sandbox });
  if (found === undefined || findOnPath('bwrap', worker.searchPath) !== null) return;
  throw ralphError('sandbox-not-of-worker', { pid: worker.pid, cause: found.cause });
}
