import { hostname } from 'node:os';
import { disposeEarlier } from '../../agents/containment/dispose/dispose-earlier.ts';
import type { DisposalCause, Receipt } from '../../schemas/round/receipt.ts';
import type { StepPaths } from '../../workspaces/records/run-paths.ts';

/** How long a disposal may take to prove that nothing is left, beyond the grace period. */
const PROVE_MS = 10_000;

/** Dispose of what a step left whose worker was lost. Never rejects: see the receipt. */
export async function disposeLost({ fence }: StepPaths, cause: DisposalCause): Promise<Receipt> {
  return await disposeEarlier({ fenceFile: fence, cause, proveMs: PROVE_MS });
}

/** The receipt of a step that never came to start a process. */
export function nothingStarted(): Receipt {
  return {
    cause: 'fault',
    mechanism: null,
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
