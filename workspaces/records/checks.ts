import { GateCheck, traceOf, type GateTrace } from '../../schemas/verification/gate.ts';
import { ReviewRecord, type FinishedReview } from '../../schemas/verification/review.ts';
import type { RunRequest } from '../../schemas/run/run.ts';
import { readJson } from './json-file.ts';
import { checkPaths, reviewPaths, type RunPaths } from './run-paths.ts';
import { checksAt, reviewsAt } from './steps.ts';

type Checked = Extract<GateCheck, { kind: 'checked' }>;
type Reviewed = Extract<ReviewRecord, { kind: 'reviewed' }>;

/** What the loop knows of the checks of a commit: those up to `after`; 0: none. */
interface Known {
  readonly round: number;
  readonly after: number;
  readonly commit: string;
}

/** A run of the gates that finished and that the loop does not know of: nothing is checked twice. Null: none. */
export async function finishedCheck(run: RunPaths, { round, after, commit }: Known): Promise<Checked | null> {
  for (const number of await checksAt(run, round)) {
    const check = number <= after ? null : await readJson(checkPaths(run, round, number).record, GateCheck);
    if (check !== null && check.kind === 'checked' && check.commit === commit) return check;
  }
  return null;
}

/** The same for a review. */
export async function finishedReview(run: RunPaths, { round, after, commit }: Known): Promise<FinishedReview | null> {
  for (const number of await reviewsAt(run, round)) {
    const record = number <= after ? null : await readJson(reviewPaths(run, round, number).outcome, ReviewRecord);
    if (record !== null && record.kind !== 'interrupted' && record.commit === commit) return record;
  }
  return null;
}

/** What the gates last said of a round's completion claim; null: they never ran to their end. @param round 0: the baseline */
export async function lastCheck(run: RunPaths, round: number): Promise<Checked | null> {
  for (const number of (await checksAt(run, round)).toReversed()) {
    const check = await readJson(checkPaths(run, round, number).record, GateCheck);
    if (check !== null && check.kind === 'checked') return check;
  }
  return null;
}

/** What a reviewer last said of a round's completion claim; null: none judged it. */
export async function lastReview(run: RunPaths, round: number): Promise<Reviewed | null> {
  for (const number of (await reviewsAt(run, round)).toReversed()) {
    const review = await readJson(reviewPaths(run, round, number).outcome, ReviewRecord);
    if (review !== null && review.kind === 'reviewed') return review;
  }
  return null;
}

/** How the gates ended before round 1 of the run, or of its chain; null: not known. */
export async function baselineOf(
  run: RunPaths,
  { predecessor }: Pick<RunRequest, 'predecessor'>,
): Promise<GateTrace[] | null> {
  if (predecessor !== null && predecessor.baseline !== null) return predecessor.baseline;
  const check = await lastCheck(run, 0);
  return check === null ? null : check.gates.map((gate) => traceOf(gate));
}
