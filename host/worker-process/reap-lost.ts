import { disposeEarlier } from '../../agents/containment/dispose/dispose-earlier.ts';
import type { Receipt } from '../../schemas/round/receipt.ts';
import { unsettledAttempts, type Whose } from './unsettled-attempts.ts';

const PROVE_MS = 10_000;

/** What was left of an attempt, a gate or a review, and how it was ended. */
export interface Reaped extends Whose {
  readonly receipt: Receipt;
}

/**
 * End what dead workers of this RALPH_HOME left on this machine: what has a fence and no outcome, and
 * whose worker is gone. Their work is committed by the next attempt, or when the run ends. Safe beside a live worker.
 */
export async function reapLost(ralphHome: string): Promise<Reaped[]> {
  const reaped: Reaped[] = [];
  for await (const { fenceFile, isUnderWay, ...whose } of unsettledAttempts(ralphHome)) {
    if (isUnderWay) continue;
    const receipt = await disposeEarlier({ fenceFile, cause: 'worker-lost', proveMs: PROVE_MS });
    if (receipt.killed.length > 0 || receipt.proof === 'unproved') reaped.push({ ...whose, receipt });
  }
  return reaped;
}
