import type { Fault } from '../round/fault.ts';
import { contractIssues, halfCharacter, loneSurrogate, trimmed } from '../round/contract-issues.ts';
import { AnyReview, MAX_REVIEW_CHARS, Review } from './review.ts';

type ReviewProblem = Pick<Fault, 'message'> & { readonly code: 'report-invalid' | 'report-oversized' };
export type DecodedReview =
  { readonly ok: true; readonly review: Review } | { readonly ok: false; readonly problem: ReviewProblem };

/** Trim the outer white space of every string a reviewer wrote, then hold it to the review contract. Nothing is cut. */
export function decodeReview(value: unknown): DecodedReview {
  const half = loneSurrogate(value);
  if (half !== null) return { ok: false, problem: { code: 'report-invalid', message: halfCharacter('review', half) } };
  const given = trimmed(value);
  const parsed = Review.safeParse(given);
  if (!parsed.success) {
    // With an unknown decision nothing else was looked at.
    const issues = AnyReview.safeParse(given).error?.issues ?? parsed.error.issues;
    const problems = contractIssues(issues, { value: given, name: 'review', fields: Object.keys(AnyReview.shape) });
    const message = `the reviewer's review breaks its contract: ${problems}`;
    return { ok: false, problem: { code: 'report-invalid', message } };
  }
  const chars = JSON.stringify(parsed.data).length;
  if (chars > MAX_REVIEW_CHARS) {
    const message = `the reviewer's review holds ${chars} characters; at most ${MAX_REVIEW_CHARS} are allowed`;
    return { ok: false, problem: { code: 'report-oversized', message } };
  }
  return { ok: true, review: parsed.data };
}
