import { GateCheck } from '../../schemas/verification/gate.ts';
import { ReviewRecord, type FinishedReview } from '../../schemas/verification/review.ts';
import { readJson } from './json-file.ts';
import { checkPaths, reviewPaths, type RunPaths } from './run-paths.ts';
import { checksAt, reviewsAt } from './steps.ts';

type FinishedCheck = Extract<GateCheck, { kind: 'checked' }>;

/** What the loop knows of the checks of a commit: those up to `after`; 0: none. */
interface KnownChecks {
  readonly round: number;
  readonly after: number;
  readonly commit: string;
}

/** A run of the gates that finished and that the loop does not know of: nothing is checked twice. Null: none. */
export async function finishedCheck(
  run: RunPaths,
  { round, after, commit }: KnownChecks,
): Promise<FinishedCheck | null> {
  for (const number of checksAt(run, round)) {
    const check = number <= after ? null : await readJson(checkPaths(run, round, number).record, GateCheck);
    if (check !== null && check.kind === 'checked' && check.commit === commit) return check;
  }
  return null;
}

/** The same for a review. */
export async function finishedReview(
  run: RunPaths,
  { round, after, commit }: KnownChecks,
): Promise<FinishedReview | null> {
  for (const number of reviewsAt(run, round)) {
    const record = number <= after ? null : await readJson(reviewPaths(run, round, number).outcome, ReviewRecord);
    if (record !== null && record.kind !== 'interrupted' && record.commit === commit) return record;
  }
  return null;
}

/** What the gates last said of a round's completion claim; null: they never ran to their end. @param round 0: the baseline */
export async function lastCheck(run: RunPaths, round: number): Promise<FinishedCheck | null> {
  for (const number of checksAt(run, round).toReversed()) {
    const check = await readJson(checkPaths(run, round, number).record, GateCheck);
    if (check !== null && check.kind === 'checked') return check;
  }
  return null;
}
