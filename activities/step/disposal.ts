import { hostname } from 'node:os';
import { chooseContainment } from '../../agents/containment/choose/choose-containment.ts';
import type { Mechanism, Receipt } from '../../schemas/round/receipt.ts';
import type { Sandbox } from '../../schemas/run/sandbox.ts';

/** How long a disposal may take to prove that nothing is left, beyond the grace period. */
export const PROVE_MS = 10_000;

/** What would hold a round here, for the receipt of an attempt that never came to start anything. */
export async function likelyMechanism(sandbox: Sandbox): Promise<Mechanism> {
  try {
    return (await chooseContainment({ sandbox })).mechanism;
  } catch {
    // The sandbox cannot be had: nothing was started with it, and nothing will be.
    return 'process-group';
  }
}

/** The receipt of an attempt that never came to start a process. */
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
