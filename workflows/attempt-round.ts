import { sleep } from '@temporalio/workflow';
import { checkReport } from '../schemas/check-report.ts';
import type { LoopState } from '../schemas/loop.ts';
import { FinishedAttempt, type FailedAttempt, type ReportedAttempt } from '../schemas/round.ts';
import type { RunRequest } from '../schemas/run.ts';
import type { RunActivities } from './activity-proxies.ts';
import { decideAfterFault, emptyTally } from './decide-after-fault.ts';
import { heldTo } from './held-to.ts';
import type { Remember } from './run-memo.ts';

/** Attempt one round with fresh agents until one reports, or the round's allowance is spent on the fault returned. */
export async function attemptRound({
  request,
  state,
  activities,
  remember,
}: {
  request: RunRequest;
  state: LoopState;
  activities: RunActivities;
  remember: Remember;
}): Promise<ReportedAttempt | FailedAttempt> {
  const round = state.rounds + 1;
  const { limits } = request;
  const { runRound } = activities.rounds(`round ${round} of ${limits.maxRounds}`);
  let tally = emptyTally;
  let refusal: string | null = null;
  let afterAttempt = 0;
  for (;;) {
    remember(state, { status: 'running', round });
    const returned = await runRound({ request, round, afterAttempt, handoff: state.handoff, refusal });
    // The round is part of what is held: activity ids repeat after a continue-as-new, so an old result could be replayed.
    const thisRound = FinishedAttempt.refine((held) => held.round === round, `must be of round ${round}`);
    const attempt = heldToContract(heldTo(thisRound, returned), limits.maxHandoffChars);
    if (attempt.kind === 'reported') return attempt;
    const after = decideAfterFault(attempt.fault, { tally, limits, now: Date.now() });
    if (after.kind === 'fail') return attempt;
    ({ tally, refusal } = after);
    afterAttempt = attempt.attempt;
    if (after.delayMs > 0) {
      const until = new Date(Date.now() + after.delayMs).toISOString();
      remember(state, { status: 'waiting', round, until, why: `${attempt.fault.code}: ${attempt.fault.message}` });
      await sleep(after.delayMs);
    }
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
