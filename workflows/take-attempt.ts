import { boundText } from '../schemas/text/bound-text.ts';
import { checkReport } from '../schemas/round/check-report.ts';
import type { Fault } from '../schemas/round/fault.ts';
import { handedOnOf } from '../schemas/round/handed-on.ts';
import { noFaults, type Ceilings, type LoopState } from '../schemas/loop/loop.ts';
import type { Claim } from '../schemas/round/report.ts';
import type { UnreleasedEnding } from '../schemas/run/result.ts';
import { RoundResult, type FailedAttempt, type FinishedAttempt, type ReportedAttempt } from '../schemas/round/round.ts';
import { allowanceOf } from './budget.ts';
import { decideAfterReport, goOnWith } from './decide-after-report.ts';
import { afterLost } from './after-lost.ts';
import { spentUp } from './end-of-budget.ts';
import { faced } from './face-fault.ts';
import { handOn } from './hand-on.ts';
import { heldTo } from './held-to.ts';
import type { LoopRun } from './loop-run.ts';
import { claimHandoff, claimStep } from './claim-handoff.ts';
import { chargeAgent, endRound } from '../schemas/budget/spend.ts';
import { unlessPaused } from './steered.ts';
import { endOfRound, noteChange, noteContinue, type Stall } from './stop-loss.ts';
import { untoldUsage } from './untold-usage.ts';
import type { Wait } from './wait.ts';

/**
 * Where the loop stands after an attempt: at its end, before the next attempt (or, with a wait, before that), or with
 * a claim of completion that is still to be checked.
 */
export type AfterAttempt = { readonly state: LoopState } & (
  | { readonly kind: 'ended'; readonly ending: UnreleasedEnding }
  | { readonly kind: 'again'; readonly wait: Wait | null }
  /** `untold`: why nothing would hold the run's budgets in a further round. */
  | {
      readonly kind: 'claimed';
      readonly claim: Claim;
      readonly finalText: string | null;
      readonly stall: Stall | null;
      readonly untold: Fault | null;
    }
);

/** One attempt at the round under way, by a fresh agent. */
export async function takeAttempt(run: LoopRun, state: LoopState): Promise<AfterAttempt> {
  const { request, activities, remember, steered } = run;
  const { afterAttempt, refusal, fallback } = state.faults;
  const round = state.rounds + 1;
  const { ceilings } = steered;
  const { maxRounds, budgets } = ceilings;
  remember(state, { status: 'running', round });
  const allowance = allowanceOf(state.spent, budgets);
  const input = { request, round, afterAttempt, ...handedOnOf(state), refusal, fallback, maxRounds, allowance };
  const returned = await unlessPaused(steered, () => activities.runRound(input));
  if (returned === null) return { kind: 'again', state, wait: null };
  const asked = RoundResult.refine(
    (held) => held.round === round && firstOf(held) > afterAttempt,
    `must be of round ${round} after attempt ${afterAttempt}`,
  );
  const result = heldTo(asked, returned);
  if (result.kind === 'lost') return afterLost(run, state, result);
  const attempt = heldToContract(result, request.limits.maxHandoffChars);
  const here = withAttempt(state, attempt);
  return attempt.kind === 'reported' ? afterReport(run, here, attempt) : afterFault(run, here, { attempt, ceilings });
}

const firstOf = (result: RoundResult): number =>
  result.kind === 'lost' ? Math.min(...result.attempts.map(({ attempt }) => attempt)) : result.attempt;

/** The state with what an attempt did and used. */
function withAttempt(state: LoopState, attempt: FinishedAttempt): LoopState {
  const { checkpoint } = attempt;
  const spent = chargeAgent(state.spent, attempt);
  if (checkpoint === null) return { ...state, spent };
  const stopLoss = noteChange(state.stopLoss, checkpoint.changes.files > 0);
  return { ...state, spent, stopLoss, commit: checkpoint.commit, ref: checkpoint.ref };
}

function afterReport(run: LoopRun, state: LoopState, attempt: ReportedAttempt): AfterAttempt {
  const { limits } = run.request;
  const { maxRounds, budgets } = run.steered.ceilings;
  const { loss, stall } = endOfRound(state.stopLoss, limits);
  const reached: LoopState = {
    ...state,
    rounds: attempt.round,
    faults: noFaults,
    // The check of a claim is part of its round.
    spent: attempt.report.status === 'complete' ? state.spent : endRound(state.spent),
    stopLoss: attempt.report.status === 'continue' ? noteContinue(loss) : loss,
  };
  const finalText = attempt.finalText === null ? null : boundText(attempt.finalText, limits.maxResultChars);
  const after = decideAfterReport(reached, attempt.report, { maxRounds, finalText, stall });
  switch (after.kind) {
    case 'end':
      return { kind: 'ended', state: reached, ending: after.result };
    case 'claim':
      return {
        kind: 'claimed',
        // Until there is a verdict it is what the next worker would have to know.
        state: handOn(
          reached,
          claimHandoff(after.claim, [claimStep('unchecked')], limits.maxHandoffChars),
          'unrefused-claim',
        ),
        claim: after.claim,
        finalText,
        stall,
        untold: untoldUsage(attempt, { who: 'agent', budgets }),
      };
    case 'next-round':
      return goingOn(handOn(reached, after.handoff, 'report'), untoldUsage(attempt, { who: 'agent', budgets }));
    default:
      return after satisfies never;
  }
}

/** @param untold why nothing would hold the run's budgets; null: they are held */
export function goingOn(state: LoopState, untold: Fault | null): Exclude<AfterAttempt, { kind: 'claimed' }> {
  if (untold === null) return { kind: 'again', state, wait: null };
  const { rounds: round, handoff } = state;
  return { kind: 'ended', state, ending: { status: 'round-failed', round, attempts: 1, fault: untold, handoff } };
}

function afterFault(
  run: LoopRun,
  state: LoopState,
  failed: { attempt: FailedAttempt; ceilings: Ceilings },
): AfterAttempt {
  const { round, attempt, fault } = failed.attempt;
  if (fault.code === 'budget-spent') {
    const ending = spentUp(state, fault, { known: failed.ceilings, now: run.steered.ceilings });
    if (ending !== null) return { kind: 'ended', state, ending };
    return { kind: 'again', state: { ...state, faults: { ...state.faults, afterAttempt: attempt } }, wait: null };
  }
  if (fault.code === 'round-timeout' && state.stopLoss.changed) return afterLongRound(run, state, round);
  const standIn = run.request.fallbackAgent === null ? 'none' : state.faults.fallback ? 'at-work' : 'idle';
  const after = faced(run, state, { fault, round, attempts: attempt, fallback: standIn });
  if (after.kind === 'ended') return after;
  const { tally, refusal, fallback, ownUntil } = after.again;
  const faults = { tally, refusal, fallback, ownUntil, afterAttempt: attempt };
  return { kind: 'again', state: { ...after.state, faults }, wait: after.wait };
}

/** A round that ran out of time with work done has got somewhere: it counts, and the next one goes on from there. */
function afterLongRound(run: LoopRun, state: LoopState, round: number): AfterAttempt {
  const { loss, stall } = endOfRound(state.stopLoss, run.request.limits);
  const reached: LoopState = {
    ...state,
    rounds: round,
    faults: noFaults,
    spent: endRound(state.spent),
    stopLoss: loss,
  };
  const after = goOnWith(state.handoff, reached, { maxRounds: run.steered.ceilings.maxRounds, stall });
  return after.kind === 'end'
    ? { kind: 'ended', state: reached, ending: after.result }
    : { kind: 'again', state: reached, wait: null };
}

/** The report is validated a second time where the loop takes it over, as it stands: nothing is normalized here. */
function heldToContract(attempt: FinishedAttempt, maxChars: number): FinishedAttempt {
  if (attempt.kind === 'failed') return attempt;
  const checked = checkReport(attempt.report, maxChars);
  if (checked.ok) return attempt;
  const { report: _report, finalText: _finalText, ...rest } = attempt;
  return { ...rest, kind: 'failed', fault: { ...checked.problem, resetAt: null } };
}
