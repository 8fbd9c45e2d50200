import { excerpt } from '../../../client/describe/shorten.ts';

const passing = (n: number): string[] => [
  `# Subtest: case ${n}`,
  `ok ${n} - case ${n}`,
  '  ---',
  '  duration_ms: 0.4',
  '  ...',
];
const failing = [
  '# Subtest: adds',
  'not ok 7 - adds',
  '  ---',
  '  duration_ms: 1.2',
  "  location: '/w/a.test.js:3:1'",
  '  error: |-',
  '    5 !== 6',
  '  ...',
];

test('of TAP the failures are shown, and nothing of what passed', () => {
  const tap = [...passing(6), ...failing, ...passing(8), '1..8', '# tests 8', '# fail 1', 'npm error code 1'].join(
    '\n',
  );
  expect(excerpt(tap, 12)).toEqual(['not ok 7 - adds', "  location: '/w/a.test.js:3:1'", '  error: |-', '    5 !== 6']);
});

test('of output that marks no failure its last lines are shown', () => {
  const lines = Array.from({ length: 40 }, (_, i) => `line ${i}`);
  expect(excerpt(lines.join('\n'), 12)).toEqual(lines.slice(-12));
  expect(excerpt('x'.repeat(500), 12)[0]).toHaveLength(200);
});
