import { chargeAgent, chargeLost, endRound } from '../../schemas/budget/spend.ts';
import type { Budgets, Ceilings } from '../../schemas/budget/budget.ts';
import { noFaults, type LoopState } from '../../schemas/loop/state.ts';
import { checkReport } from '../../schemas/round/check-report.ts';
import type { Fault } from '../../schemas/round/fault.ts';
import type {
  FailedAttempt,
  FinishedAttempt,
  LostAttempts,
  ReportedAttempt,
  RoundResult,
} from '../../schemas/round/round.ts';
import type { RunRequest } from '../../schemas/run/run.ts';
import { boundText } from '../../schemas/text/bound-text.ts';
import type { After, Moment } from './events.ts';
import { afterFault, afterLoss } from './after-fault.ts';
import { spentUp } from './budgets.ts';
import { blockerStep, handoffOf, claimStep, handOn } from './handoff.ts';
import { goOn, endedAt } from './next-round.ts';
import { endOfRound, noteChange, noteContinue } from './stall-detection.ts';

/** What an attempt at a round changes. @param asked the limits that the attempt was started with */
export function afterAttempt(
  request: RunRequest,
  state: LoopState,
  { result, asked, ...moment }: Moment & { result: RoundResult; asked: Ceilings },
): After {
  if (result.kind === 'lost') return afterLostAttempts(state, { ...moment, lost: result });
  const attempt = validated(result, request.limits.maxHandoffChars);
  const charged = withAttempt(state, attempt);
  return attempt.kind === 'reported'
    ? afterReport(request, charged, attempt)
    : afterFailure(request, charged, { ...moment, attempt, asked });
}

/** The report is validated a second time where the loop takes it over. Nothing is normalized here. */
function validated(attempt: FinishedAttempt, maxChars: number): FinishedAttempt {
  if (attempt.kind === 'failed') return attempt;
  const checked = checkReport(attempt.report, maxChars);
  if (checked.ok) return attempt;
  const { report: _report, finalText: _finalText, ...rest } = attempt;
  return { ...rest, kind: 'failed', fault: { ...checked.problem, resetAt: null } };
}

/** The state with what an attempt did and used. */
function withAttempt(state: LoopState, attempt: FinishedAttempt): LoopState {
  const { checkpoint } = attempt;
  const spent = chargeAgent(state.spent, attempt);
  if (checkpoint === null) return { ...state, spent };
  const stall = noteChange(state.stall, checkpoint.changes.files > 0);
  return { ...state, spent, stall, commit: checkpoint.commit, ref: checkpoint.ref };
}

/** The handoff, or the pending verification, is set before anything decides whether the run ends. */
function afterReport(request: RunRequest, state: LoopState, attempt: ReportedAttempt): After {
  const { limits, runId } = request;
  const { report, round } = attempt;
  const { counters, stall } = endOfRound(state.stall, limits);
  const ended: LoopState = { ...state, rounds: round, faults: noFaults, stall: counters };
  const finalText = attempt.finalText === null ? null : boundText(attempt.finalText, limits.maxResultChars);
  const unreported = unreportedUse(attempt, { who: 'agent', budgets: state.ceilings.budgets });
  switch (report.status) {
    case 'complete': {
      // Until there is a verdict, this is what the next agent would have to know. The check is part of the round.
      const handoff = handoffOf(report, [claimStep('unchecked')], limits.maxHandoffChars);
      const pending = { runId, round, claim: report, finalText, stall, unreported, gates: null, whyRejected: null };
      return { state: { ...handOn(ended, handoff, 'unverified-claim'), pending }, kind: 'forward' };
    }
    case 'blocked': {
      const { blocker, nextSteps } = report;
      const handoff = handoffOf(report, [blockerStep(blocker), ...nextSteps], limits.maxHandoffChars);
      const next = handOn({ ...ended, spent: endRound(ended.spent) }, handoff, 'blocker');
      return { state: next, kind: 'end', ending: { status: 'blocked', ...endedAt(next), report, finalText } };
    }
    case 'continue': {
      const counted = { ...ended, spent: endRound(ended.spent), stall: noteContinue(counters) };
      return goOn(handOn(counted, report, 'report'), { stall, unreported });
    }
    default:
      return report satisfies never;
  }
}

function afterFailure(
  request: RunRequest,
  state: LoopState,
  failed: Moment & { attempt: FailedAttempt; asked: Ceilings },
): After {
  const { asked, now, random } = failed;
  const { round, attempt, fault } = failed.attempt;
  const counted = { ...state, faults: { ...state.faults, afterAttempt: attempt } };
  if (fault.code === 'budget-spent') return spentUp(counted, fault, asked);
  if (fault.code === 'round-timeout' && state.stall.changed) return afterLongRound(request, state, round);
  const standIn = request.fallbackAgent === null ? 'none' : state.faults.fallback ? 'at-work' : 'idle';
  return afterFault(request, counted, { fault, round, attempts: attempt, standIn, now, random });
}

/** A round that ran out of time with work done got somewhere: it counts, and the next one continues from there. */
function afterLongRound(request: RunRequest, state: LoopState, round: number): After {
  const { counters, stall } = endOfRound(state.stall, request.limits);
  const ended = { ...state, rounds: round, faults: noFaults, spent: endRound(state.spent), stall: counters };
  return goOn(ended, { stall, unreported: null });
}

/**
 * Attempts were ended from outside. What they used is charged, what they did is kept, and the round is attempted again:
 * at once, as machines and workers are restarted; but a worker that is lost again and again counts like a network.
 */
function afterLostAttempts(state: LoopState, { lost, ...moment }: Moment & { lost: LostAttempts }): After {
  const { round, attempts } = lost;
  const work = attempts.findLast(({ commit }) => commit !== null);
  const isPaused = attempts.every(({ by }) => by === 'paused');
  const next: LoopState = {
    ...state,
    spent: attempts.reduce(chargeLost, state.spent),
    stall: noteChange(
      state.stall,
      attempts.some(({ changed }) => changed),
    ),
    ...(work === undefined || work.commit === null ? {} : { commit: work.commit, ref: work.ref }),
    faults: {
      ...state.faults,
      afterAttempt: Math.max(state.faults.afterAttempt, ...attempts.map(({ attempt }) => attempt)),
    },
  };
  return isPaused
    ? { state: next, kind: 'again' }
    : afterLoss(next, { ...moment, round, what: `attempts at round ${round}` });
}

/** The fault of a program that does not report what a budget is held by; null: it does, or there is no such budget. */
export function unreportedUse(
  { usage, costUsd }: Pick<ReportedAttempt, 'usage' | 'costUsd'>,
  { who, budgets }: { who: 'agent' | 'reviewer'; budgets: Budgets },
): Fault | null {
  const missing = [
    ...(budgets.maxTokens !== null && usage === null ? ['tokens'] : []),
    ...(budgets.maxCostUsd !== null && costUsd === null ? ['cost'] : []),
  ];
  if (missing.length === 0) return null;
  const message = `the ${who} reported no ${missing.join(' and no ')}, so nothing would hold the run's budget of it`;
  return { code: 'usage-unknown', message, resetAt: null };
}
