import { GateCheck, type GateResult } from '../schemas/gate.ts';
import type { Fault } from '../schemas/fault.ts';
import { noFaults, type LoopState } from '../schemas/loop.ts';
import type { UnreleasedEnding, Verification } from '../schemas/result.ts';
import { FinishedReview } from '../schemas/review.ts';
import { agentTitle } from '../schemas/titles.ts';
import { endedAt } from './decide-after-report.ts';
import { faced } from './face-fault.ts';
import { gateVerdict } from './gate-refusals.ts';
import { heldTo } from './held-to.ts';
import type { LoopRun } from './loop-run.ts';
import { obeyPause } from './obey-pause.ts';
import { reviewReason } from './refusal-handoff.ts';
import { chargeAgent, chargeGates, chargeLost, chargeWait } from './spend.ts';
import { unlessPaused } from './steered.ts';
import { waitOut } from './wait.ts';

/** What checking a claim of completion came to. */
export type Verified = { readonly state: LoopState } & (
  | { readonly kind: 'accepted'; readonly verification: Verification; readonly excusedGates: readonly string[] }
  /** `gate`: the one that refused it; null: a protected path or the reviewer did. */
  | { readonly kind: 'refused'; readonly reasons: readonly string[]; readonly gate: GateResult | null }
  | { readonly kind: 'ended'; readonly ending: UnreleasedEnding }
);

/** Check a claim of completion as the run was asked to: gates and protected paths, then a reviewer. */
export async function verifyClaim(run: LoopRun, state: LoopState): Promise<Verified> {
  const { gates, gatePolicy, reviewer } = run.request;
  let here = state;
  let results: readonly GateResult[] = [];
  let excusedGates: readonly string[] = [];
  let verification: Verification = 'worker-reported';
  if (gates.length > 0 || gatePolicy.protect.length > 0) {
    const ran = await runGates(run, here, state.rounds);
    if (ran.kind === 'ended') return ran;
    here = ran.state;
    const verdict = gateVerdict(ran.check, gatePolicy, state.baseline);
    if (verdict.reasons.length > 0) {
      return { kind: 'refused', state: here, reasons: verdict.reasons, gate: verdict.failed };
    }
    results = ran.check.gates;
    excusedGates = verdict.excused;
    if (gates.length > 0) verification = excusedGates.length > 0 ? 'gates-as-before' : 'gates-passed';
  }
  if (reviewer === null) return { kind: 'accepted', state: here, verification, excusedGates };
  const reviewed = await review(run, here, results);
  if (reviewed.kind === 'ended') return reviewed;
  const { decision, reasons } = reviewed.review;
  return decision === 'accept'
    ? { kind: 'accepted', state: reviewed.state, verification: 'reviewed', excusedGates }
    : { kind: 'refused', state: reviewed.state, reasons: reasons.map((reason) => reviewReason(reason)), gate: null };
}

type Ended = Extract<Verified, { kind: 'ended' }>;
type Checked = Extract<GateCheck, { kind: 'checked' }>;

/** Run the gates, again after a fault that passes. @param round 0: the baseline */
export async function runGates(
  run: LoopRun,
  state: LoopState,
  round: number,
): Promise<Ended | { kind: 'checked'; state: LoopState; check: Checked }> {
  const { request, activities, remember, steered } = run;
  const { commit, baseline } = state;
  let here = state;
  for (let afterCheck = 0, tries = 0; ; tries++) {
    await obeyPause(run, here, round);
    if (tries > 0 && steered.stop) return stopped(here);
    remember(here, { status: 'checking', round, why: round === 0 ? 'gates before round 1' : 'gates' });
    const input = { request, round, afterCheck, commit, baseline };
    const returned = await unlessPaused(steered, () => activities.runGates(input));
    if (returned === null) continue;
    const known = afterCheck;
    const asked = GateCheck.refine(
      (check) => check.round === round && check.check > known,
      'must be what was asked for',
    );
    const check = heldTo(asked, returned);
    here = { ...here, spent: chargeGates(here.spent, check) };
    if (check.kind === 'checked') return { kind: 'checked', state: { ...here, faults: noFaults }, check };
    const after = await pastFault(run, here, { fault: check.fault, round, attempts: check.check });
    if (after.kind === 'ended') return after;
    here = after.state;
    afterCheck = check.check;
  }
}

async function review(
  run: LoopRun,
  state: LoopState,
  gates: readonly GateResult[],
): Promise<
  Ended | { kind: 'reviewed'; state: LoopState; review: Extract<FinishedReview, { kind: 'reviewed' }>['review'] }
> {
  const { request, activities, remember, steered } = run;
  const { commit, rounds: round } = state;
  const by = request.reviewer === null ? '' : agentTitle(request.reviewer);
  let here = state;
  let refusal: string | null = null;
  for (let afterReview = 0, tries = 0; ; tries++) {
    await obeyPause(run, here, round);
    if (tries > 0 && steered.stop) return stopped(here);
    remember(here, { status: 'checking', round, why: `review by ${by}` });
    const input = { request, round, afterReview, commit, gates: [...gates], refusal };
    const returned = await unlessPaused(steered, () => activities.reviewClaim(input));
    if (returned === null) continue;
    const known = afterReview;
    const asked = FinishedReview.refine(
      (held) => held.round === round && held.attempt > known,
      'must be what was asked for',
    );
    const done = heldTo(asked, returned);
    here = { ...here, spent: chargeAgent(chargeLost(here.spent, done.attempt - known - 1), done) };
    if (done.kind === 'reviewed')
      return { kind: 'reviewed', state: { ...here, faults: noFaults }, review: done.review };
    const after = await pastFault(run, here, { fault: done.fault, round, attempts: done.attempt });
    if (after.kind === 'ended') return after;
    ({ refusal } = after);
    here = after.state;
    afterReview = done.attempt;
  }
}

/** A check that is under way is let end; under a stop no other one is begun. */
const stopped = (state: LoopState): Ended => ({
  kind: 'ended',
  state,
  ending: { status: 'stopped', ...endedAt(state), handoff: state.handoff },
});

/** Wait a fault out, or end by it. No other agent stands in for a reviewer, and none for a gate. */
async function pastFault(
  run: LoopRun,
  state: LoopState,
  failed: { fault: Fault; round: number; attempts: number },
): Promise<Ended | { kind: 'again'; state: LoopState; refusal: string | null }> {
  const after = faced(run, state, { ...failed, fallback: 'none' });
  if (after.kind === 'ended') return after;
  const { tally, refusal } = after.again;
  const waited = after.wait === null ? 0 : await waitOut(run, after.state, after.wait);
  const faults = { ...after.state.faults, tally };
  return { kind: 'again', state: { ...after.state, faults, spent: chargeWait(after.state.spent, waited) }, refusal };
}
