import { emptyTally, noFaults, Preparation, type LoopState } from '../schemas/loop.ts';
import type { UnreleasedEnding } from '../schemas/result.ts';
import { decideAfterFault } from './decide-after-fault.ts';
import { heldTo } from './held-to.ts';
import type { LoopRun } from './loop-run.ts';
import { waitOut } from './wait.ts';

/** Have the workspace made and set up. A fault that passes (a full disk) is waited out; any other is the run's end. */
export async function prepareRun(run: LoopRun): Promise<{ state: LoopState } | { ending: UnreleasedEnding }> {
  const { request, activities, remember } = run;
  let tally = emptyTally;
  for (let attempts = 1; ; attempts++) {
    remember(null, { status: 'preparing' });
    const prepared = heldTo(Preparation, await activities.prepare(`prepare-${attempts}`));
    if (prepared.kind === 'ready') {
      const { base, ref } = prepared.workspace;
      return { state: { rounds: 0, handoff: null, commit: base, ref, faults: noFaults } };
    }
    const { fault } = prepared;
    const after = decideAfterFault(fault, { tally, limits: request.limits, now: Date.now() });
    if (after.kind === 'fail') return { ending: { status: 'round-failed', round: 0, attempts, fault, handoff: null } };
    ({ tally } = after);
    await waitOut(run, null, { round: 0, delayMs: after.delayMs, fault });
  }
}
