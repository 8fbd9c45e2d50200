import { traceOf } from '../schemas/gate.ts';
import { beginning, emptyTally, Preparation, type LoopState } from '../schemas/loop.ts';
import { startCommit, type RunRequest } from '../schemas/run.ts';
import type { UnreleasedEnding } from '../schemas/result.ts';
import { decideAfterFault } from './decide-after-fault.ts';
import { heldTo } from './held-to.ts';
import type { LoopRun } from './loop-run.ts';
import { runGates } from './verify-claim.ts';
import { waitOut } from './wait.ts';

/**
 * Have the workspace made and set up, and the gates run on it as it is. A fault that passes (a full disk) is waited
 * out; any other is the run's end.
 */
export async function prepareRun(run: LoopRun): Promise<{ state: LoopState } | { ending: UnreleasedEnding }> {
  const { request, activities, remember } = run;
  let tally = emptyTally;
  for (let attempts = 1; ; attempts++) {
    remember(null, { status: 'preparing' });
    const prepared = heldTo(Preparation, await activities.prepare(`prepare-${attempts}`));
    if (prepared.kind === 'ready') return withBaseline(run, beginningOf(run, prepared.workspace));
    const { fault } = prepared;
    const { limits } = request;
    const context = { tally, limits, now: Date.now(), jitter: Math.random(), fallback: 'none' } as const;
    const after = decideAfterFault(fault, context);
    if (after.kind === 'fail') return { ending: { status: 'round-failed', round: 0, attempts, fault, handoff: null } };
    ({ tally } = after);
    await waitOut(run, null, { round: 0, delayMs: after.delayMs, fault });
    if (run.steered.stop) return { ending: stoppedBefore(request) };
  }
}

/** Under a stop no other try is made at a workspace. */
function stoppedBefore(request: RunRequest): UnreleasedEnding {
  const { predecessor } = request;
  const handoff = predecessor === null ? null : predecessor.handoff;
  return { status: 'stopped', rounds: 0, commit: startCommit(request), ref: null, handoff };
}

function beginningOf({ request }: LoopRun, { base, ref }: { base: string; ref: string | null }): LoopState {
  const state = beginning(base, ref);
  return request.predecessor === null ? state : { ...state, handoff: request.predecessor.handoff };
}

async function withBaseline(
  run: LoopRun,
  state: LoopState,
): Promise<{ state: LoopState } | { ending: UnreleasedEnding }> {
  const { gates, predecessor } = run.request;
  if (gates.length === 0) return { state };
  // What an earlier run of the line broke must not count as broken before.
  if (predecessor !== null && predecessor.baseline !== null) {
    return { state: { ...state, baseline: predecessor.baseline } };
  }
  const ran = await runGates(run, state, 0);
  if (ran.kind === 'ended') return { ending: ran.ending };
  const baseline = ran.check.gates.map((gate) => traceOf(gate));
  return { state: { ...ran.state, baseline } };
}
