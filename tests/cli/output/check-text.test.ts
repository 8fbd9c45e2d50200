import { gateText } from '../../../cli/text/check-text.ts';
import type { GateLine } from '../../../client/view/run-view.ts';

const gate = (more: Partial<GateLine>): string =>
  gateText({
    command: 'npm test',
    result: 'failed',
    exitCode: 0,
    timedOut: false,
    ms: 5_000,
    changed: [],
    said: null,
    ...more,
  });

test('a gate is told with how it ended; with what it changed rather than with an exit code that says nothing', () => {
  expect(gate({ result: 'passed' })).toBe('✓ npm test');
  expect(gate({ exitCode: 2 })).toBe('✗ npm test: exit code 2');
  expect(gate({ exitCode: null })).toBe('✗ npm test: ended by a signal');
  expect(gate({ exitCode: null, timedOut: true })).toBe('✗ npm test: not at its end after 5s');
  expect(gate({ changed: ['tests/a.js', 'b\u001b'] })).toMatch(
    /^✗ npm test: changed what it may not \(tests\/a\.js, b/,
  );
  expect(gate({ exitCode: 1, result: 'excused' })).toBe('✗ npm test: exit code 1, as before round 1');
});
