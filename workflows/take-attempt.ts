import { checkReport } from '../schemas/check-report.ts';
import { noFaults, type LoopState } from '../schemas/loop.ts';
import type { UnreleasedEnding } from '../schemas/result.ts';
import { FinishedAttempt, type FailedAttempt, type ReportedAttempt } from '../schemas/round.ts';
import { decideAfterFault } from './decide-after-fault.ts';
import { decideAfterReport } from './decide-after-report.ts';
import { heldTo } from './held-to.ts';
import type { LoopRun } from './loop-run.ts';
import type { Wait } from './wait.ts';

/** Where the loop stands after an attempt: at its end, before a wait, or (both null) before the next attempt. */
export interface AfterAttempt {
  readonly state: LoopState;
  readonly ending: UnreleasedEnding | null;
  readonly wait: Wait | null;
}

/** One attempt at the round under way, by a fresh agent. */
export async function takeAttempt(run: LoopRun, state: LoopState): Promise<AfterAttempt> {
  const { request, activities, remember } = run;
  const { afterAttempt, refusal } = state.faults;
  const round = state.rounds + 1;
  remember(state, { status: 'running', round });
  const returned = await activities.runRound({ request, round, afterAttempt, handoff: state.handoff, refusal });
  const asked = FinishedAttempt.refine(
    (held) => held.round === round && held.attempt > afterAttempt,
    `must be an attempt at round ${round} after number ${afterAttempt}`,
  );
  const attempt = heldToContract(heldTo(asked, returned), request.limits.maxHandoffChars);
  const { checkpoint } = attempt;
  const here = checkpoint === null ? state : { ...state, commit: checkpoint.commit, ref: checkpoint.ref };
  return attempt.kind === 'reported' ? afterReport(run, here, attempt) : afterFault(run, here, attempt);
}

function afterReport({ request }: LoopRun, state: LoopState, attempt: ReportedAttempt): AfterAttempt {
  const reached: LoopState = { ...state, rounds: attempt.round, faults: noFaults };
  const after = decideAfterReport(reached, attempt, request.limits);
  switch (after.kind) {
    case 'end':
      return { state: reached, ending: after.result, wait: null };
    case 'next-round':
      return { state: { ...reached, handoff: after.handoff }, ending: null, wait: null };
    default:
      return after satisfies never;
  }
}

function afterFault({ request: { limits } }: LoopRun, state: LoopState, failed: FailedAttempt): AfterAttempt {
  const { round, attempt, fault } = failed;
  const after = decideAfterFault(fault, { tally: state.faults.tally, limits, now: Date.now() });
  switch (after.kind) {
    case 'fail': {
      const ending = { status: 'round-failed', round, attempts: attempt, fault, handoff: state.handoff } as const;
      return { state, ending, wait: null };
    }
    case 'attempt-again': {
      const { tally, refusal, delayMs } = after;
      const faults = { tally, refusal, afterAttempt: attempt };
      return { state: { ...state, faults }, ending: null, wait: delayMs === 0 ? null : { round, delayMs, fault } };
    }
    default:
      return after satisfies never;
  }
}

/** The report is validated a second time where the loop takes it over, as it stands: nothing is normalized here. */
function heldToContract(attempt: FinishedAttempt, maxChars: number): FinishedAttempt {
  if (attempt.kind === 'failed') return attempt;
  const checked = checkReport(attempt.report, maxChars);
  if (checked.ok) return attempt;
  const { report: _report, finalText: _finalText, ...rest } = attempt;
  return { ...rest, kind: 'failed', fault: { ...checked.problem, resetAt: null } };
}
