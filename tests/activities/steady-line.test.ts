import { steadyLine } from '../../activities/verification/steady-line.ts';
import { growth, LINEAR } from '../support/growth.ts';

const steady = (line: string): string => steadyLine(line, [['/home/u/.ralph/runs/a', '<run>']]);

/** Pairs of lines that programs print of one failure at two times. */
test.each([
  ['jest', 'Time:        1.234 s, estimated 2 s', 'Time:        0.9 s, estimated 1 s'],
  ['pytest', '1 failed, 2 passed in 0.12s', '1 failed, 2 passed in 11.03s'],
  ['go', '--- FAIL: TestX (0.03s)', '--- FAIL: TestX (1.20s)'],
  ['go, cached', 'ok  \tpkg\t0.123s', 'ok  \tpkg\t12.4s'],
  ['node', '# duration_ms 52.123', '# duration_ms 7'],
  ['node, spec', '✖ adds (1.002375ms)', '✖ adds (0.9ms)'],
  ['node, YAML', '  duration_ms: 1.5', '  duration_ms: 20.25'],
  ['vitest', 'Duration  1.23s (transform 45ms, setup 0ms)', 'Duration  980ms (transform 4ms, setup 10ms)'],
  ['vitest, start', '   Start at  12:34:56', '   Start at  09:01:02'],
  ['cargo', 'test result: FAILED. 1 failed; finished in 0.00s', 'test result: FAILED. 1 failed; finished in 3.50s'],
  ['gradle', 'BUILD FAILED in 1m 3s', 'BUILD FAILED in 2h 10m 9s'],
  ['maven', 'Finished at: 2026-01-05T12:00:00+01:00', 'Finished at: 2027-11-15T01:02:03.123Z'],
  [
    'rspec',
    'Finished in 0.00123 seconds (files took 0.1 seconds to load)',
    'Finished in 4 seconds (files took 2 seconds to load)',
  ],
  ['minitest', '1234.5 runs/s, 23.1 assertions/s', '1.0 runs/s, 2 assertions/s'],
  ['words', 'done in 3 seconds', 'done in 12 seconds'],
  ['date(1)', 'Mon Jan  5 12:34:56 UTC 2026', 'Tue Feb 17 01:02:03 UTC 2026'],
  ['a log of npm', '/x/2026-01-05T12_00_00_123Z-debug-0.log', '/x/2026-02-06T13_01_01_456Z-debug-0.log'],
  ['am and pm', 'at 8:20pm', 'at 11:05 AM'],
  ['colours', '\u001b[31m✕ fails\u001b[39m', '✕ fails'],
  ['a temporary folder', 'cannot open /tmp/ralph-tmp-Ab3/x.sock', 'cannot open /var/tmp/q9/x.sock'],
  ['an address', '<Foo object at 0x7f3a2b1c>', '<Foo object at 0x7fffdeadbeef>'],
  ["Node's warnings", '(node:123) Warning: x', '(node:98765) Warning: x'],
])('%s: what differs from run to run is taken out', (_what, one, other) => {
  expect(steady(one)).toBe(steady(other));
});

test.each([
  ['another number', 'expected 3 to equal 4', 'expected 3 to equal 5'],
  ['another count of failures', '1 failed, 2 passed in 0.1s', '2 failed, 1 passed in 0.1s'],
  ['another line', 'at src/a.js:12:34', 'at src/a.js:12:35'],
  ['another line, by itself', '  12:34  error  no-undef', '  13:34  error  no-undef'],
  ['another file in a temporary folder', 'no /tmp/x/a.txt', 'no /tmp/x/b.txt'],
  ['another file of the checkout', 'no /home/u/.ralph/runs/a/check/a', 'no /home/u/.ralph/runs/a/check/b'],
  ['another version', 'node 20.19.1', 'node 20.19.2'],
  ['another unit', 'memory 12 MB', 'memory 13 MB'],
])('%s is another failure', (_what, one, other) => {
  expect(steady(one)).not.toBe(steady(other));
});

test('the folders of a check have names that stay', () => {
  expect(steady('FAIL /home/u/.ralph/runs/a/check/t.js in 3 ms')).toBe('FAIL <run>/check/t.js in <ms>');
});

test.each(['1', '1h ', 'Mon ', '12:34:', '0x', '/tmp/', 'duration ', '\u001b['])(
  'a line of many %j costs in proportion to its length',
  (piece) => {
    const look = (chars: number) => steady(piece.repeat(Math.ceil(chars / piece.length)));
    look(1_000_000);
    expect(growth(look, 20_000)).toBeLessThan(LINEAR);
  },
);
