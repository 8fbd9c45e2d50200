import type { Fault } from '../schemas/round/fault.ts';
import type { GateResult } from '../schemas/verification/gate.ts';
import { noFaults, type LoopState } from '../schemas/loop/loop.ts';
import { ReviewResult } from '../schemas/verification/lost-checks.ts';
import type { Review } from '../schemas/verification/review.ts';
import { chargeAgent, chargeLost } from '../schemas/budget/spend.ts';
import { agentTitle } from '../schemas/run/titles.ts';
import { allowanceOf, budgetReached } from './budget.ts';
import { limitedBy, spentUp } from './end-of-budget.ts';
import { heldTo } from './held-to.ts';
import type { LoopRun } from './loop-run.ts';
import { ofInherited } from './inherited.ts';
import { obeyPause } from './obey-pause.ts';
import { pastFault, pastLoss, stoppedAt, type EndedCheck } from './past-fault.ts';
import { noteChecks } from './stand.ts';
import { unlessPaused } from './steered.ts';
import { untoldUsage } from './untold-usage.ts';

/** A verdict. `untold`: why nothing would hold the run's budgets where it goes on. */
interface Reviewed {
  readonly kind: 'reviewed';
  readonly state: LoopState;
  readonly review: Review;
  readonly untold: Fault | null;
}

/** Have a fresh agent judge the round's checkpoint, again after a fault that passes. */
export async function reviewClaim(
  run: LoopRun,
  state: LoopState,
  gates: readonly GateResult[],
): Promise<EndedCheck | Reviewed> {
  const { request, activities, remember, steered, stand } = run;
  const { commit, rounds: round } = state;
  const by = request.reviewer === null ? '' : agentTitle(request.reviewer);
  let here = state;
  let refusal: string | null = null;
  for (let afterReview = 0, tries = 0, isPaused = false; ; tries++) {
    stand.state = here;
    noteChecks(stand, round, { afterReview });
    await obeyPause(run, here, round);
    // A check that is under way is let end; under a stop no other one is begun.
    if (steered.stop && tries > 0) return stoppedAt(here);
    const { ceilings } = steered;
    const { budgets } = ceilings;
    const reached = budgetReached(here.spent, budgets);
    if (reached !== null) return { kind: 'ended', state: here, ending: limitedBy(here, reached) };
    const why = `review${ofInherited(request, round)} by ${by}`;
    remember(here, { status: 'checking', round, why });
    const allowance = allowanceOf(here.spent, budgets);
    const input = { request, round, afterReview, commit, gates: [...gates], refusal, allowance };
    const returned = await unlessPaused(steered, () => activities.reviewClaim(input));
    if (returned === null) {
      isPaused = true;
      continue;
    }
    const known = afterReview;
    const asked = ReviewResult.refine(
      (held) =>
        held.round === round &&
        numbersOf(held).every((attempt) => attempt > known) &&
        (held.kind === 'lost' || [null, commit].includes(held.commit)),
      `must be a review of ${commit} in round ${round} after number ${known}`,
    );
    const done = heldTo(asked, returned);
    afterReview = Math.max(...numbersOf(done));
    noteChecks(stand, round, { afterReview });
    here = {
      ...here,
      spent: done.kind === 'lost' ? done.reviews.reduce(chargeLost, here.spent) : chargeAgent(here.spent, done),
    };
    stand.state = here;
    if (done.kind === 'lost') {
      const after = await pastLoss(run, here, { round, what: `reviews of round ${round}`, isPaused });
      if (after.kind === 'ended') return after;
      here = after.state;
      isPaused = false;
      continue;
    }
    if (done.kind === 'reviewed') {
      const untold = untoldUsage(done, { who: 'reviewer', budgets });
      return { kind: 'reviewed', state: { ...here, faults: noFaults }, review: done.review, untold };
    }
    const { fault } = done;
    if (fault.code === 'budget-spent') {
      const ending = spentUp(here, fault, { known: ceilings, now: steered.ceilings });
      if (ending !== null) return { kind: 'ended', state: here, ending };
      continue;
    }
    const after = await pastFault(run, here, { fault, round, attempts: done.attempt });
    if (after.kind === 'ended') return after;
    ({ refusal } = after);
    here = after.state;
  }
}

const numbersOf = (result: ReviewResult): number[] =>
  result.kind === 'lost' ? result.reviews.map(({ attempt }) => attempt) : [result.attempt];
