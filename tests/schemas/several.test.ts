import { several, usedOf } from '../../schemas/text/several.ts';

test('a count has its noun, and what is used of it its verb, in the number that it is', () => {
  expect([several(0, 'round'), several(1, 'round'), several(1_200, 'token')]).toEqual([
    '0 rounds',
    '1 round',
    '1,200 tokens',
  ]);
  expect([usedOf(1, 1, 'round'), usedOf(3, 8, 'round')]).toEqual(['1 of 1 round is used', '3 of 8 rounds are used']);
});
