import { traceOf } from '../schemas/verification/gate.ts';
import { handedOnOf } from '../schemas/round/handed-on.ts';
import { beginning, noFaults, Preparation, type LoopState } from '../schemas/loop/loop.ts';
import type { UnreleasedEnding } from '../schemas/run/result.ts';
import { startCommit } from '../schemas/run/run.ts';
import { chargeWait } from '../schemas/budget/spend.ts';
import { endedAt } from './decide-after-report.ts';
import { faced } from './face-fault.ts';
import { heldTo } from './held-to.ts';
import type { LoopRun } from './loop-run.ts';
import { obeyPause } from './obey-pause.ts';
import { runGates } from './run-gates.ts';
import { unlessPaused } from './steered.ts';
import { waitOut } from './wait.ts';

type Prepared = { readonly state: LoopState } | { readonly ending: UnreleasedEnding };

/**
 * Have the workspace made and set up, and the gates run on it as it is. A fault that passes (a full disk) is waited
 * out; any other is the run's end.
 */
export async function prepareRun(run: LoopRun): Promise<Prepared> {
  const { request, activities, remember, steered } = run;
  const { predecessor } = request;
  const first = beginning(startCommit(request), null);
  let state: LoopState =
    predecessor === null
      ? first
      : { ...first, ...handedOnOf(predecessor), spent: { ...first.spent, recent: predecessor.recent } };
  for (let attempts = 1; ; attempts++) {
    await obeyPause(run, null, 0);
    if (steered.stop) return { ending: { status: 'stopped', ...endedAt(state), handoff: state.handoff } };
    remember(null, { status: 'preparing' });
    const returned = await unlessPaused(steered, () => activities.prepare(`prepare-${attempts}`));
    if (returned === null) continue;
    const prepared = heldTo(Preparation, returned);
    if (prepared.kind === 'ready') {
      const { base, ref } = prepared.workspace;
      return withBaseline(run, { ...state, commit: base, ref, faults: noFaults });
    }
    const after = faced(run, state, { fault: prepared.fault, round: 0, attempts, fallback: 'none' });
    if (after.kind === 'ended') return { ending: after.ending };
    const waited = after.wait === null ? 0 : await waitOut(run, null, after.wait);
    const { tally } = after.again;
    state = { ...state, faults: { ...noFaults, tally }, spent: chargeWait(state.spent, waited) };
  }
}

async function withBaseline(run: LoopRun, state: LoopState): Promise<Prepared> {
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
