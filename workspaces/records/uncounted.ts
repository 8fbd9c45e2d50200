import type { Ceilings } from '../../schemas/budget/budget.ts';
import { countedChecks, type LoopState } from '../../schemas/loop/state.ts';
import type { RoundResult } from '../../schemas/round/round.ts';
import type { GatesResult, ReviewResult } from '../../schemas/verification/lost-checks.ts';
import { finishedAttempt } from './attempts.ts';
import { finishedCheck, finishedReview } from './checks.ts';
import { lostAttempts, lostGates, lostReviews } from './lost-steps.ts';
import type { RunPaths } from './run-paths.ts';

/** What ended on disk and the loop has not counted, in the form of the loop's events. */
export type UncountedEvent = { readonly now: number; readonly random: number } & (
  | { readonly kind: 'attempted'; readonly result: RoundResult; readonly asked: Ceilings }
  | { readonly kind: 'gates-ran'; readonly result: GatesResult; readonly afterPause: boolean }
  | { readonly kind: 'reviewed'; readonly result: ReviewResult; readonly asked: Ceilings; readonly afterPause: boolean }
);

/**
 * What a state has not counted, in order, while nothing of the run is under way: a cancel, or a termination from outside,
 * can leave attempts and checks behind, even a report.
 */
export async function uncountedEvents(run: RunPaths, state: LoopState): Promise<UncountedEvent[]> {
  const moment = { now: Date.now(), random: 0 };
  const { ceilings: asked, commit } = state;
  const agents: RoundResult[] = [];
  const round = state.rounds + 1;
  const { afterAttempt } = state.faults;
  if (state.prepared) {
    const attempts = await lostAttempts(run, { round, afterAttempt });
    if (attempts.length > 0) agents.push({ kind: 'lost', round, attempts });
    const finished = await finishedAttempt(run, { round, afterAttempt });
    if (finished !== null) agents.push(finished);
  }
  const checked = countedChecks(state, state.rounds);
  const gates: GatesResult[] = [];
  const lost = await lostGates(run, state.rounds, checked.afterCheck);
  if (lost.length > 0) gates.push({ kind: 'lost', round: state.rounds, checks: lost });
  const check = await finishedCheck(run, { round: state.rounds, after: checked.afterCheck, commit });
  if (check !== null) gates.push(check);
  const reviews: ReviewResult[] = [];
  const lostOnes = await lostReviews(run, state.rounds, checked.afterReview);
  if (lostOnes.length > 0) reviews.push({ kind: 'lost', round: state.rounds, reviews: lostOnes });
  const review = await finishedReview(run, { round: state.rounds, after: checked.afterReview, commit });
  if (review !== null) reviews.push(review);
  return [
    ...gates.map((result) => ({ kind: 'gates-ran', result, afterPause: false, ...moment }) as const),
    ...reviews.map((result) => ({ kind: 'reviewed', result, asked, afterPause: false, ...moment }) as const),
    ...agents.map((result) => ({ kind: 'attempted', result, asked, ...moment }) as const),
  ];
}
