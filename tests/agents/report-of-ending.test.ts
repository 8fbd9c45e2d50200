import { failed } from '../../agents/faults/faults.ts';
import { reportOfEnding } from '../../agents/run/report-of-ending.ts';

const held = { roundTimeoutMs: 60_000, idleTimeoutMs: 30_000, timeMs: 5_000, spent: null };
const candidate = { kind: 'candidate', value: 1 } as const;
const limited = failed('rate-limited', 'it waits', null);
const crashed = failed('agent-crashed', 'it crashed', null);

test.each([
  ['exited', candidate, 'candidate'],
  ['hung-after-report', candidate, 'candidate'],
  ['aborted', crashed, 'agent-crashed'],
  ['round-timeout', candidate, 'candidate'],
  ['idle-timeout', candidate, 'candidate'],
  ['round-timeout', limited, 'round-timeout'],
  ['idle-timeout', crashed, 'idle-timeout'],
  ['idle-timeout', limited, 'rate-limited'],
  ['idle-timeout', failed('bad-credentials', 'the key is rejected', null), 'bad-credentials'],
  ['budget-spent', candidate, 'candidate'],
  ['budget-spent', crashed, 'budget-spent'],
  ['disk-full', candidate, 'disk-full'],
] as const)('an attempt that ended by %s with %j results in %s', (ended, report, shown) => {
  const kept = reportOfEnding(ended, report, held);
  expect(kept.kind === 'fault' ? kept.fault.code : kept.kind).toBe(shown);
});

test('an agent that used up a budget is told which', () => {
  const budget = reportOfEnding('budget-spent', crashed, {
    ...held,
    spent: { budget: 'tokens', message: 'the tokens' },
  });
  expect(budget).toMatchObject({ fault: { budget: 'tokens', message: 'the tokens' } });
  expect(reportOfEnding('budget-spent', crashed, held)).toMatchObject({
    fault: { budget: 'time', message: /time budget .* 5s/ },
  });
});
