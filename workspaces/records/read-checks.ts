import { GateCheck, traceOf, type GateTrace } from '../../schemas/verification/gate.ts';
import { ReviewRecord } from '../../schemas/verification/review.ts';
import type { RunRequest } from '../../schemas/run/run.ts';
import { checksAt, reviewsAt } from './check-folders.ts';
import { readJson } from './json-file.ts';
import { checkPaths, reviewPaths, type RunPaths } from './run-paths.ts';

type Checked = Extract<GateCheck, { kind: 'checked' }>;
type Reviewed = Extract<ReviewRecord, { kind: 'reviewed' }>;

/** What the gates last said of a round's claim; null: they never ran to their end. @param round 0: the baseline */
export async function lastCheck(run: RunPaths, round: number): Promise<Checked | null> {
  for (const number of (await checksAt(run, round)).toReversed()) {
    const check = await readJson(checkPaths(run, round, number).record, GateCheck);
    if (check !== null && check.kind === 'checked') return check;
  }
  return null;
}

/** How the gates ended before round 1 of the run, or of its line; null: not known. */
export async function baselineOf(
  run: RunPaths,
  { predecessor }: Pick<RunRequest, 'predecessor'>,
): Promise<GateTrace[] | null> {
  if (predecessor !== null && predecessor.baseline !== null) return predecessor.baseline;
  const check = await lastCheck(run, 0);
  return check === null ? null : check.gates.map((gate) => traceOf(gate));
}

/** What a reviewer last said of a round's claim; null: none judged it. */
export async function lastReview(run: RunPaths, round: number): Promise<Reviewed | null> {
  for (const number of (await reviewsAt(run, round)).toReversed()) {
    const review = await readJson(reviewPaths(run, round, number).outcome, ReviewRecord);
    if (review !== null && review.kind === 'reviewed') return review;
  }
  return null;
}
