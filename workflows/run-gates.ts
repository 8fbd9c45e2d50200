import type { GateCheck } from '../schemas/verification/gate.ts';
import { GatesResult } from '../schemas/verification/lost-checks.ts';
import { isBaseline } from '../schemas/run/run.ts';
import { noFaults, type LoopState } from '../schemas/loop/loop.ts';
import { chargeGates, chargeLostGates } from '../schemas/budget/spend.ts';
import { heldTo } from './held-to.ts';
import type { LoopRun } from './loop-run.ts';
import { ofInherited } from './inherited.ts';
import { obeyPause } from './obey-pause.ts';
import { pastFault, pastLoss, stoppedAt, type EndedCheck } from './past-fault.ts';
import { noteChecks } from './stand.ts';
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
  for (let afterCheck = 0, tries = 0, isPaused = false; ; tries++) {
    stand.state = here;
    stand.round = round;
    noteChecks(stand, round, { afterCheck });
    await obeyPause(run, here, round);
    // A check that is under way is let end; under a stop no other one is begun.
    if (steered.stop && tries > 0) return stoppedAt(here);
    remember(here, { status: 'checking', round, why });
    const input = { request, round, afterCheck, commit, baseline };
    const returned = await unlessPaused(steered, () => activities.runGates(input));
    if (returned === null) {
      isPaused = true;
      continue;
    }
    const known = afterCheck;
    const asked = GatesResult.refine(
      (result) => result.round === round && numbersOf(result).every((check) => check > known) && isOf(result, commit),
      `must be a check of ${commit} in round ${round} after number ${known}`,
    );
    const check = heldTo(asked, returned);
    afterCheck = Math.max(...numbersOf(check));
    noteChecks(stand, round, { afterCheck });
    here = {
      ...here,
      spent: check.kind === 'lost' ? check.checks.reduce(chargeLostGates, here.spent) : chargeGates(here.spent, check),
    };
    stand.state = here;
    if (check.kind === 'lost') {
      const after = await pastLoss(run, here, { round, what: round === 0 ? why : `gates of round ${round}`, isPaused });
      if (after.kind === 'ended') return after;
      here = after.state;
      isPaused = false;
      continue;
    }
    if (check.kind === 'checked') return { kind: 'checked', state: { ...here, faults: noFaults }, check };
    const after = await pastFault(run, here, { fault: check.fault, round, attempts: check.check });
    if (after.kind === 'ended') return after;
    here = after.state;
  }
}

const isOf = (result: GatesResult, commit: string): boolean => result.kind !== 'checked' || result.commit === commit;

const numbersOf = (result: GatesResult): number[] =>
  result.kind === 'lost' ? result.checks.map(({ check }) => check) : [result.check];
