import { hostname } from 'node:os';
import { chooseContainment } from '../../agents/containment/choose/choose-containment.ts';
import { disposeEarlier } from '../../agents/containment/dispose/dispose-earlier.ts';
import type { DisposalCause, Mechanism, Receipt } from '../../schemas/round/receipt.ts';
import type { Sandbox } from '../../schemas/run/sandbox.ts';
import type { StepPaths } from '../../workspaces/records/run-paths.ts';

/** How long a disposal may take to prove that nothing is left, beyond the grace period. */
const PROVE_MS = 10_000;

/** Dispose of what a step left whose worker was lost. Never rejects: see the receipt. */
export async function disposeLost(
  { fence }: StepPaths,
  { sandbox, cause }: { sandbox: Sandbox; cause: DisposalCause },
): Promise<Receipt> {
  const mechanism = await likelyMechanism(sandbox);
  return await disposeEarlier({ fenceFile: fence, cause, mechanism, proveMs: PROVE_MS });
}

/** The receipt of a step that never came to start a process. */
export async function nothingStarted(sandbox: Sandbox): Promise<Receipt> {
  return {
    cause: 'fault',
    mechanism: await likelyMechanism(sandbox),
    proof: 'nothing-started',
    signals: [],
    killed: [],
    killedUnlisted: 0,
    left: [],
    ms: 0,
    at: new Date().toISOString(),
    host: hostname(),
    commit: null,
  };
}

/** What would hold a step here, for the receipt of one that never came to start anything. */
async function likelyMechanism(sandbox: Sandbox): Promise<Mechanism> {
  try {
    return (await chooseContainment({ sandbox })).mechanism;
  } catch {
    // The sandbox cannot be had: nothing was started with it, and nothing will be.
    return 'process-group';
  }
}
