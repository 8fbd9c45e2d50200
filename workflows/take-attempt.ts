import { boundText } from '../schemas/bound-text.ts';
import { checkReport } from '../schemas/check-report.ts';
import type { LoopState } from '../schemas/loop.ts';
import { noFaults } from '../schemas/loop.ts';
import type { UnreleasedEnding } from '../schemas/result.ts';
import { FinishedAttempt, type FailedAttempt, type ReportedAttempt } from '../schemas/round.ts';
import { allowanceOf } from './budget.ts';
import { decideAfterReport, goOnWith, type Claim } from './decide-after-report.ts';
import { endOfBudget } from './end-of-budget.ts';
import { faced } from './face-fault.ts';
import { heldTo } from './held-to.ts';
import type { LoopRun } from './loop-run.ts';
import { chargeAgent, chargeLost, endRound } from './spend.ts';
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
  | { readonly kind: 'claimed'; readonly claim: Claim; readonly finalText: string | null; readonly stall: Stall | null }
);

/** One attempt at the round under way, by a fresh agent. */
export async function takeAttempt(run: LoopRun, state: LoopState): Promise<AfterAttempt> {
  const { request, activities, remember, steered } = run;
  const { afterAttempt, refusal, fallback } = state.faults;
  const round = state.rounds + 1;
  const { maxRounds, budgets } = steered.ceilings;
  remember(state, { status: 'running', round });
  const allowance = allowanceOf(state.spent, budgets);
  const input = { request, round, afterAttempt, handoff: state.handoff, refusal, fallback, maxRounds, allowance };
  const returned = await unlessPaused(steered, () => activities.runRound(input));
  if (returned === null) return { kind: 'again', state, wait: null };
  const asked = FinishedAttempt.refine(
    (held) => held.round === round && held.attempt > afterAttempt,
    `must be an attempt at round ${round} after number ${afterAttempt}`,
  );
  const attempt = heldToContract(heldTo(asked, returned), request.limits.maxHandoffChars);
  const here = withAttempt(state, attempt);
  return attempt.kind === 'reported' ? afterReport(run, here, attempt) : afterFault(run, here, attempt);
}

/** The state with what an attempt did and used, and what was lost before it. */
function withAttempt(state: LoopState, attempt: FinishedAttempt): LoopState {
  const { checkpoint } = attempt;
  const lost = attempt.attempt - state.faults.afterAttempt - 1;
  const spent = chargeAgent(chargeLost(state.spent, lost), attempt);
  if (checkpoint === null) return { ...state, spent };
  // Its base is not the loop's where a lost attempt's work was committed in between.
  const changed = checkpoint.changes.files > 0 || checkpoint.base !== state.commit;
  const stopLoss = noteChange(state.stopLoss, changed);
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
    spent: endRound(state.spent),
    stopLoss: attempt.report.status === 'continue' ? noteContinue(loss) : loss,
  };
  const finalText = attempt.finalText === null ? null : boundText(attempt.finalText, limits.maxResultChars);
  const after = decideAfterReport(reached, attempt.report, { maxRounds, finalText, stall });
  switch (after.kind) {
    case 'end':
      return { kind: 'ended', state: reached, ending: after.result };
    case 'claim':
      return { kind: 'claimed', state: reached, claim: after.claim, finalText, stall };
    case 'next-round': {
      const next = { ...reached, handoff: after.handoff };
      const fault = untoldUsage(attempt, budgets);
      if (fault === null) return { kind: 'again', state: next, wait: null };
      const { round, attempt: attempts } = attempt;
      return {
        kind: 'ended',
        state: next,
        ending: { status: 'round-failed', round, attempts, fault, handoff: next.handoff },
      };
    }
    default:
      return after satisfies never;
  }
}

function afterFault(run: LoopRun, state: LoopState, failed: FailedAttempt): AfterAttempt {
  const { round, attempt, fault } = failed;
  const { ceilings } = run.steered;
  if (fault.code === 'budget-spent') {
    return { kind: 'ended', state, ending: endOfBudget(state, ceilings.budgets, fault) };
  }
  if (fault.code === 'round-timeout' && state.stopLoss.changed) return afterLongRound(run, state, round);
  const standIn = run.request.fallbackAgent === null ? 'none' : state.faults.fallback ? 'at-work' : 'idle';
  const after = faced(run, state, { fault, round, attempts: attempt, fallback: standIn });
  if (after.kind === 'ended') return after;
  const { tally, refusal, fallback } = after.again;
  const faults = { tally, refusal, fallback, afterAttempt: attempt };
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
