import { ApplicationFailure } from '@temporalio/workflow';
import type { Fault } from '../schemas/round/fault.ts';
import type { Gate, GateResult } from '../schemas/verification/gate.ts';
import type { LoopState } from '../schemas/loop/loop.ts';
import type { Verification } from '../schemas/run/result.ts';
import { gateVerdict } from './gate-refusals.ts';
import { REFUSED_RESULT } from './held-to.ts';
import type { LoopRun } from './loop-run.ts';
import type { EndedCheck } from './past-fault.ts';
import { reviewReason } from './claim-handoff.ts';
import { reviewClaim } from './review-claim.ts';
import { runGates } from './run-gates.ts';

/** What checking a claim of completion came to. */
export type Verified =
  | EndedCheck
  | ({ readonly state: LoopState } & (
      | { readonly kind: 'accepted'; readonly verification: Verification; readonly excusedGates: readonly string[] }
      /** `gate`: the one that refused it; null: a protected path or the reviewer did. */
      | {
          readonly kind: 'refused';
          readonly reasons: readonly string[];
          readonly gate: GateResult | null;
          /** Why nothing would hold the run's budgets in a further round. */
          readonly untold: Fault | null;
        }
    ));

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
      return { kind: 'refused', state: here, reasons: verdict.reasons, gate: verdict.failed, untold: null };
    }
    refuseUnlessAll(ran.check.gates, gates);
    results = ran.check.gates;
    excusedGates = verdict.excused;
    if (gates.length > 0) verification = excusedGates.length > 0 ? 'gates-as-before' : 'gates-passed';
  }
  if (reviewer === null) return { kind: 'accepted', state: here, verification, excusedGates };
  const reviewed = await reviewClaim(run, here, results);
  if (reviewed.kind === 'ended') return reviewed;
  const { decision, reasons } = reviewed.review;
  return decision === 'accept'
    ? { kind: 'accepted', state: reviewed.state, verification: 'reviewed', excusedGates }
    : {
        kind: 'refused',
        state: reviewed.state,
        reasons: reasons.map(reviewReason),
        gate: null,
        untold: reviewed.untold,
      };
}

/** What passes is every gate that was asked for, in order: whatever else an activity returned is no verdict. */
function refuseUnlessAll(ran: readonly GateResult[], asked: readonly Gate[]): void {
  const isAll =
    ran.length === asked.length &&
    ran.every(({ gate, command }, index) => (gate === null ? command === asked[index]?.command : gate === index));
  if (isAll) return;
  const message = `The gates that ran are not those that were asked for: ${ran.map(({ command }) => command).join('; ')}`;
  throw ApplicationFailure.nonRetryable(message, REFUSED_RESULT);
}
