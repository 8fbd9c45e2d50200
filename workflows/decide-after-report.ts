import type { LoopState } from '../schemas/loop/loop.ts';
import type { Claim, Handoff, Report } from '../schemas/round/report.ts';
import type { RunResult } from '../schemas/run/result.ts';
import { usedOf } from '../schemas/text/several.ts';
import type { Stall } from './stop-loss.ts';

/** What follows a round that ended with a report. */
export type AfterReport =
  | { readonly kind: 'next-round'; readonly handoff: Handoff }
  | { readonly kind: 'claim'; readonly claim: Claim }
  | { readonly kind: 'end'; readonly result: RunResult };

/**
 * Only `continue` counts rounds out: a completion in the last allowed round is complete, once its claim has stood.
 * @param state the loop with this round counted in
 * @param stall why the run turns in place; null: it does not
 */
export function decideAfterReport(
  state: LoopState,
  report: Report,
  { maxRounds, finalText, stall }: { maxRounds: number; finalText: string | null; stall: Stall | null },
): AfterReport {
  switch (report.status) {
    case 'complete':
      return { kind: 'claim', claim: report };
    case 'blocked':
      return { kind: 'end', result: { status: 'blocked', ...endedAt(state), report, finalText } };
    case 'continue':
      return goOnWith(report, state, { maxRounds, stall });
    default:
      return report satisfies never;
  }
}

/** The next round, if there is to be one. */
export function goOnWith<H extends Handoff | null>(
  handoff: H,
  state: LoopState,
  { maxRounds, stall }: { maxRounds: number; stall: Stall | null },
): { kind: 'next-round'; handoff: H } | { kind: 'end'; result: RunResult } {
  if (stall !== null) return { kind: 'end', result: { status: 'stalled', ...endedAt(state), ...stall, handoff } };
  if (state.rounds < maxRounds) return { kind: 'next-round', handoff };
  const reason = usedOf(state.rounds, maxRounds, 'round');
  return { kind: 'end', result: { status: 'budget-limited', ...endedAt(state), budget: 'rounds', reason, handoff } };
}

export const endedAt = ({ rounds, commit, ref }: LoopState) => ({ rounds, commit, ref });
