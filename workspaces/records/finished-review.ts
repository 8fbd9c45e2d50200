import { ReviewRecord, type FinishedReview } from '../../schemas/verification/review.ts';
import { reviewsAt } from './check-folders.ts';
import { readJson } from './json-file.ts';
import { reviewPaths, type RunPaths } from './run-paths.ts';

/** A review of a commit that finished, and that the loop does not know yet as the worker was lost right then. Null: none. */
export async function finishedReviewSince(
  run: RunPaths,
  { round, after, commit }: { round: number; after: number; commit: string },
): Promise<FinishedReview | null> {
  for (const review of await reviewsAt(run, round)) {
    if (review <= after) continue;
    const record = await readJson(reviewPaths(run, round, review).outcome, ReviewRecord);
    if (record !== null && record.kind !== 'interrupted' && record.commit === commit) return record;
  }
  return null;
}
