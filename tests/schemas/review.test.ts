import { decodeReview } from '../../schemas/verification/check-review.ts';
import { MAX_REVIEW_CHARS } from '../../schemas/verification/review.ts';

test.each([
  [{ decision: 'accept', reasons: [] }],
  [{ decision: 'accept', reasons: ['the gate covers it'] }],
  [{ decision: 'reject', reasons: ['no test for the empty list', 'b.txt is missing'] }],
])('takes the review %j', (review) => {
  expect(decodeReview(review)).toEqual({ ok: true, review });
});

test('outer white space is trimmed where a review is decoded', () => {
  expect(decodeReview({ decision: ' reject\n', reasons: ['  why  '] })).toEqual({
    ok: true,
    review: { decision: 'reject', reasons: ['why'] },
  });
});

test.each<[string, unknown, RegExp]>([
  [
    'a rejection without a reason',
    { decision: 'reject', reasons: [] },
    /: reasons must hold one: a rejection gives a reason$/,
  ],
  ['a blank reason', { decision: 'reject', reasons: [' '] }, /: reasons\.0 must say something/],
  [
    'an unknown decision',
    { decision: 'maybe', reasons: ['r'] },
    /: decision is "maybe", and must be "accept" or "reject"$/,
  ],
  [
    'a missing list',
    { decision: 'accept' },
    /^the reviewer's review breaks its contract: reasons is missing, and must be a list$/,
  ],
  [
    'a further field',
    { decision: 'accept', reasons: [], score: 1 },
    /: "score": no such field; a review has decision, reasons$/,
  ],
  [
    'a report',
    { status: 'complete', summary: 's', evidence: ['e'], nextSteps: [], blocker: '' },
    /: decision is missing, and must be "accept" or "reject"; reasons is missing/,
  ],
  ['null', null, /: it is null, and must be an object with the fields decision, reasons$/],
  ['a guessed name', { verdict: 'accept', reasons: [] }, /decision is missing.*"verdict": no such field/],
])('refuses %s, and says how', (_what, value, message) => {
  expect(decodeReview(value)).toMatchObject({
    ok: false,
    problem: { code: 'report-invalid', message: expect.stringMatching(message) },
  });
});

test('the cap is held after parsing and trimming, to the character, and nothing is cut', () => {
  const frame = JSON.stringify({ decision: 'reject', reasons: [''] }).length;
  const fits = 'x'.repeat(MAX_REVIEW_CHARS - frame);
  expect(decodeReview({ decision: 'reject', reasons: [`   ${fits}   `] })).toMatchObject({ ok: true });
  expect(decodeReview({ decision: 'reject', reasons: [`${fits}x`] })).toMatchObject({
    ok: false,
    problem: { code: 'report-oversized', message: expect.stringContaining(String(MAX_REVIEW_CHARS)) },
  });
});
