import { GateCheck } from '../schemas/gate.ts';
import { isBaseline } from '../schemas/run.ts';
import { noFaults, type LoopState } from '../schemas/loop.ts';
import { chargeGates } from '../schemas/spend.ts';
import { heldTo } from './held-to.ts';
import type { LoopRun } from './loop-run.ts';
import { ofInherited } from './inherited.ts';
import { obeyPause } from './obey-pause.ts';
import { pastFault, stoppedAt, type EndedCheck } from './past-fault.ts';
import { unlessPaused } from './steered.ts';

type Checked = Extract<GateCheck, { kind: 'checked' }>;

/** Run the gates, again after a fault that passes. @param round 0: the baseline, or the claim of the run before */
export async function runGates(
  run: LoopRun,
  state: LoopState,
  round: number,
): Promise<EndedCheck | { kind: 'checked'; state: LoopState; check: Checked }> {
  const { request, activities, remember, steered, stand } = run;
  const { commit, baseline } = state;
  const why = isBaseline(request, round) ? 'gates before round 1' : `gates${ofInherited(request, round)}`;
  let here = state;
  for (let afterCheck = 0, tries = 0; ; tries++) {
    stand.state = here;
    stand.round = round;
    await obeyPause(run, here, round);
    // A check that is under way is let end; under a stop no other one is begun.
    if (steered.stop && tries > 0) return stoppedAt(here);
    remember(here, { status: 'checking', round, why });
    const input = { request, round, afterCheck, commit, baseline };
    const returned = await unlessPaused(steered, () => activities.runGates(input));
    if (returned === null) continue;
    const known = afterCheck;
    const asked = GateCheck.refine(
      (check) => check.round === round && check.check > known && isOf(check, commit),
      `must be a check of ${commit} in round ${round} after number ${known}`,
    );
    const check = heldTo(asked, returned);
    here = { ...here, spent: chargeGates(here.spent, check) };
    stand.state = here;
    if (check.kind === 'checked') return { kind: 'checked', state: { ...here, faults: noFaults }, check };
    const after = await pastFault(run, here, { fault: check.fault, round, attempts: check.check });
    if (after.kind === 'ended') return after;
    here = after.state;
    afterCheck = check.check;
  }
}

const isOf = (check: GateCheck, commit: string): boolean => check.kind === 'failed' || check.commit === commit;
