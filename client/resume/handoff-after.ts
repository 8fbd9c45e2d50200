import { fitHandoff } from '../../schemas/round/fit-handoff.ts';
import { handedOnOf, nothingHandedOn, type HandedOn } from '../../schemas/round/handed-on.ts';
import type { Handoff, Report } from '../../schemas/round/report.ts';
import { inheritedClaim, type RunRequest } from '../../schemas/run/run.ts';
import { claimHandoff, claimStep } from '../../workflows/claim-handoff.ts';
import type { RunPaths } from '../../workspaces/records/run-paths.ts';
import { claimStand } from './claim-stand.ts';
import { lastReport } from './last-report.ts';

/**
 * What the round after this one would have been given, from the files of a run that has ended: the report, or why its
 * claim was refused. Of what ends a run, a blocker becomes the step to confirm that it no longer blocks, and a claim that
 * nothing refused the step to confirm what is left. A round without a report hands on what it was given, with what the
 * user said to it. @param round 0: before the first
 */
export async function handoffAfter(paths: RunPaths, request: RunRequest, round: number): Promise<HandedOn> {
  const last = await lastReport(paths, round);
  if (last !== null) return handedOnBy(last.report, { paths, request, round: last.round });
  const inherited = inheritedClaim(request);
  if (inherited !== null) return handedOnBy(inherited.report, { paths, request, round: 0 });
  return request.predecessor === null ? nothingHandedOn : handedOnOf(request.predecessor);
}

async function handedOnBy(
  report: Report,
  at: { paths: RunPaths; request: RunRequest; round: number },
): Promise<HandedOn> {
  const { maxHandoffChars } = at.request.limits;
  switch (report.status) {
    case 'continue':
      return { handoff: report, handoffSource: 'report', userNotes: [] };
    case 'blocked': {
      const { summary, evidence, nextSteps, blocker } = report;
      const first = `Confirm first that this no longer blocks: ${blocker}`;
      const steps = [first, ...nextSteps];
      const whole: Handoff = { status: 'continue', summary, evidence, nextSteps: steps, blocker: '' };
      const handoff = fitHandoff(whole, { whole: 0, maxChars: maxHandoffChars });
      return { handoff, handoffSource: 'blocker', userNotes: [] };
    }
    case 'complete': {
      const stand = await claimStand(at);
      if (stand.kind === 'refused') {
        const handoff = claimHandoff(report, stand.reasons, maxHandoffChars);
        return { handoff, handoffSource: 'refused-claim', userNotes: [] };
      }
      const handoff = claimHandoff(report, [claimStep(stand.kind)], maxHandoffChars);
      return { handoff, handoffSource: 'unrefused-claim', userNotes: [] };
    }
    default:
      return report satisfies never;
  }
}
