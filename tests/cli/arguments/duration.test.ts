import { parseDuration } from '../../../schemas/text/duration.ts';

test.each([
  ['90s', 90_000],
  ['20m', 1_200_000],
  ['1h', 3_600_000],
  ['1h30m', 5_400_000],
  ['2d', 172_800_000],
  ['500ms', 500],
  ['1m500ms', 60_500],
])('%s is a duration', (text, ms) => {
  expect(parseDuration(text)).toBe(ms);
});

test.each(['', '90', '1.5h', '-1s', '0s', '1h 30m', '30m1h', 'h', '1w', '99999999999999999d'])('%p is none', (text) => {
  expect(parseDuration(text)).toBeNull();
});
