import { checkTexts, gateText } from '../../../client/describe/check-words.ts';
import { checkRow, gateLine } from '../../support/run-view.ts';

const gate = (more: Parameters<typeof gateLine>[0]): string => gateText(gateLine({ exitCode: 0, ms: 5_000, ...more }));

test('a gate is told with how it ended; with what it changed rather than with an exit code that says nothing', () => {
  expect(gate({ result: 'passed' })).toBe('✓ npm test');
  expect(gate({ exitCode: 2 })).toBe('✗ npm test: exit code 2');
  expect(gate({ exitCode: null })).toBe('✗ npm test: ended by a signal');
  expect(gate({ exitCode: null, timedOut: true })).toBe('✗ npm test: timed out after 5s');
  expect(gate({ changed: ['tests/a.js', 'b\u001b'] })).toMatch(
    /^✗ npm test: changed files that it must not change \(tests\/a\.js, b/,
  );
  expect(gate({ exitCode: 1, result: 'excused' })).toBe('✗ npm test: exit code 1, as before round 1');
});

const SAID = 'rejected the completion claim: gate "npm test" ended with exit code 1';

test('one rejection again and again is one line', () => {
  const all = [1, 2, 3, 4, 5].map((round) => checkRow({ round }));
  expect(checkTexts(all)).toEqual([`gates of rounds 1–5: ${SAID}`]);
  expect(checkTexts([checkRow({ round: 1 }), checkRow({ round: 3 })])).toEqual([`gates of rounds 1, 3: ${SAID}`]);
});

test('what differs is told apart: by what it says, by who rejected, by whose claim', () => {
  const reasons = ['gate "lint" ended with exit code 2'];
  const other = checkRow({ round: 3, outcome: { kind: 'rejected', reasons, gates: [] } });
  const review = checkRow({ check: 'review', round: 4 });
  const earlier = checkRow({ round: 0, claimOf: { runId: 'r-1', round: 2 } });
  expect(checkTexts([checkRow(), other, review, earlier])).toHaveLength(4);
});
