import { type Handoff, type Report } from '../schemas/report.ts';
import type { RunRequest } from '../schemas/run.ts';
import { gateVerdict } from '../workflows/gate-refusals.ts';
import { refusalHandoff, reviewReason } from '../workflows/refusal-handoff.ts';
import { attemptsAt } from '../workspaces/attempts.ts';
import { readOutcome } from '../workspaces/ledger.ts';
import { baselineOf, lastCheck, lastReview } from '../workspaces/read-checks.ts';
import type { RunPaths } from '../workspaces/run-paths.ts';
import { fitHandoff } from '../schemas/fit-handoff.ts';

/**
 * What the round after this one would have been given, from the files of a run that has ended: the report, or why its
 * claim was refused. Of what ends a run, a blocker becomes the step to confirm that it no longer blocks, and an accepted
 * claim the step to confirm what is left. A round without a report hands on what it was given. Null: there never was
 * anything to hand on. @param round 0: before the first
 */
export async function handoffAfter(paths: RunPaths, request: RunRequest, round: number): Promise<Handoff | null> {
  for (let at = round; at > 0; at -= 1) {
    const report = await reportOf(paths, at);
    if (report !== null) return handoffOf(report, { paths, request, round: at });
  }
  return request.predecessor === null ? null : request.predecessor.handoff;
}

async function reportOf(paths: RunPaths, round: number): Promise<Report | null> {
  for (const attempt of (await attemptsAt(paths, round)).toReversed()) {
    const outcome = await readOutcome(paths, round, attempt);
    if (outcome !== null && outcome.kind === 'reported') return outcome.report;
  }
  return null;
}

async function handoffOf(
  report: Report,
  at: { paths: RunPaths; request: RunRequest; round: number },
): Promise<Handoff> {
  const { maxHandoffChars } = at.request.limits;
  switch (report.status) {
    case 'continue':
      return report;
    case 'blocked':
      return goingOn(report, [`Confirm first that this no longer blocks: ${report.blocker}`], maxHandoffChars);
    case 'complete': {
      const reasons = await refusalOf(at);
      if (reasons.length > 0) return refusalHandoff(report, reasons, maxHandoffChars);
      return goingOn(report, ['This was reported as complete: confirm what is left of the objective'], maxHandoffChars);
    }
    default:
      return report satisfies never;
  }
}

function goingOn(report: Report, firstSteps: readonly string[], maxChars: number): Handoff {
  const { summary, evidence, nextSteps } = report;
  const whole: Handoff = {
    status: 'continue',
    summary,
    evidence,
    nextSteps: [...firstSteps, ...nextSteps],
    blocker: '',
  };
  return fitHandoff(whole, { whole: 0, maxChars });
}

/** Why a round's claim of completion was refused, as next steps; none: it was not. */
async function refusalOf(at: { paths: RunPaths; request: RunRequest; round: number }): Promise<readonly string[]> {
  const { paths, request, round } = at;
  const check = await lastCheck(paths, round);
  if (check !== null) {
    const { reasons } = gateVerdict(check, request.gatePolicy, await baselineOf(paths, request));
    if (reasons.length > 0) return reasons;
  }
  const judged = await lastReview(paths, round);
  if (judged === null || judged.review.decision === 'accept') return [];
  return judged.review.reasons.map((reason) => reviewReason(reason));
}
