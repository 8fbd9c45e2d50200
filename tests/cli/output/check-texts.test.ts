import { checkTexts } from '../../../cli/text/check-texts.ts';
import { refused } from '../support/why.ts';

const SAID = 'refused the claim: gate "npm test" ended with exit code 1';

test('one refusal again and again is one line', () => {
  const all = [1, 2, 3, 4, 5].map((round) => ({ ...refused, round }));
  expect(checkTexts(all)).toEqual([`gates of rounds 1–5: ${SAID}`]);
  expect(checkTexts([all[0] ?? refused, all[2] ?? refused])).toEqual([`gates of rounds 1, 3: ${SAID}`]);
});

test('what differs is told apart: by what it says, by who refused, by whose claim', () => {
  const other = { ...refused, round: 3, reasons: ['gate "lint" ended with exit code 2'] };
  const review = { ...refused, kind: 'review', round: 4 } as const;
  const earlier = { ...refused, round: 0, claimOf: { runId: 'r-1', round: 2 } };
  expect(checkTexts([refused, other, review, earlier])).toHaveLength(4);
});
