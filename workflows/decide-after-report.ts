import { boundText } from '../schemas/bound-text.ts';
import type { LoopState } from '../schemas/loop.ts';
import type { Handoff } from '../schemas/report.ts';
import type { RunResult } from '../schemas/result.ts';
import type { ReportedAttempt } from '../schemas/round.ts';
import type { Limits } from '../schemas/run.ts';

/** What follows a round that ended with a report. */
export type AfterReport =
  { readonly kind: 'next-round'; readonly handoff: Handoff } | { readonly kind: 'end'; readonly result: RunResult };

/**
 * Only `continue` counts rounds out: a completion in the last allowed round is complete.
 * @param state the loop with this round counted in
 */
export function decideAfterReport(state: LoopState, attempt: ReportedAttempt, limits: Limits): AfterReport {
  const { report } = attempt;
  const ended = { rounds: state.rounds, commit: state.commit, ref: state.ref };
  const finalText = attempt.finalText === null ? null : boundText(attempt.finalText, limits.maxResultChars);
  switch (report.status) {
    case 'complete':
      return {
        kind: 'end',
        result: { status: 'complete', ...ended, verification: 'worker-reported', report, finalText },
      };
    case 'blocked':
      return { kind: 'end', result: { status: 'blocked', ...ended, report, finalText } };
    case 'continue':
      return state.rounds < limits.maxRounds
        ? { kind: 'next-round', handoff: report }
        : { kind: 'end', result: { status: 'budget-limited', ...ended, budget: 'rounds', handoff: report } };
    default:
      return report satisfies never;
  }
}
