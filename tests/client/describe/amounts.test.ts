import { age, clock, cost, count, duration, several, tokens } from '../../../client/describe/amounts.ts';

test.each([
  [0, '0s'],
  [420, '420ms'],
  [1_300, '1.3s'],
  [9_949, '9.9s'],
  [9_960, '10s'],
  [59_499, '59s'],
  [59_500, '1m'],
  [123_000, '2m 3s'],
  [3_599_600, '1h'],
  [3_900_000, '1h 5m'],
  [86_400_000, '1d'],
  [187_200_000, '2d 4h'],
  [-5, '0s'],
])('%d ms read as %s', (ms, text) => {
  expect(duration(ms)).toBe(text);
});

test.each([
  [0, 'just now'],
  [1_900, 'just now'],
  [2_000, '2s ago'],
  [59_000, '59s ago'],
  [61_000, '1m ago'],
  [7_200_000, '2h ago'],
  [172_800_000, '2d ago'],
])('%d ms since then read as %s', (ms, text) => {
  const now = Date.UTC(2026, 0, 10);
  expect(age(new Date(now - ms).toISOString(), now)).toBe(text);
});

test('a time is told by the clock of this machine, without the date where it is today', () => {
  const at = new Date(2026, 0, 5, 9, 0, 7, 410);
  expect(clock(at.toISOString(), null)).toBe('2026-01-05 09:00:07');
  expect(clock(at.toISOString(), at.getTime() + 60_000)).toBe('09:00:07');
  expect(clock(at.toISOString(), at.getTime() - 86_400_000)).toBe('2026-01-05 09:00:07');
});

test('what is not known reads unknown, never 0', () => {
  expect(tokens(null)).toBe('unknown');
  expect(cost(null)).toBe('unknown');
  expect(cost(0)).toBe('$0.00');
});

test('cache reads are not counted as tokens used', () => {
  expect(tokens({ inputTokens: 1_000, outputTokens: 200, cacheWriteTokens: 50, cacheReadTokens: 9_000_000 })).toBe(
    '1.3k',
  );
});

test('amounts are short', () => {
  expect([count(999), count(14_234), count(999_950), count(2_400_000)]).toEqual(['999', '14.2k', '1.0M', '2.4M']);
  expect([cost(0.0042), cost(1.5), several(1, 'round'), several(1_200, 'round')]).toEqual([
    '$0.0042',
    '$1.50',
    '1 round',
    '1,200 rounds',
  ]);
});
