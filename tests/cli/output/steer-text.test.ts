import { pauseText, resumeText, retryText, stopText } from '../../../cli/text/steer-text.ts';
import type { TemporalRun } from '../../../client/view/temporal-run.ts';
import { noBudgets, nothingSpent } from '../../../schemas/budget/budget.ts';
import type { RunMemo } from '../../../schemas/loop/memo.ts';

const at = '2026-01-05T09:00:00.000Z';
function run(memo: Partial<RunMemo>): TemporalRun {
  const whole: RunMemo = {
    status: 'running',
    title: 't',
    repository: '/r',
    agent: 'command',
    hostId: 'a'.repeat(16),
    round: 3,
    maxRounds: 9,
    budgets: noBudgets,
    spent: nothingSpent,
    known: null,
    steering: { pause: false, stop: false },
    commit: null,
    ref: null,
    until: null,
    why: null,
    receipt: null,
    ...memo,
  };
  const view = { workflowId: 'r', executionId: 'e', namespace: 'default', status: 'RUNNING', page: null };
  return { runId: 'r', status: 'open', memo: whole, progress: null, check: null, startedAt: at, endedAt: null, view };
}
const toPause = { pause: true, stop: false };
const toStop = { pause: false, stop: true };

test.each<[string, Partial<RunMemo>, boolean, RegExp]>([
  ['in a round', { steering: toPause }, false, /^r pauses when round 3 has ended\. .*--now .*ralph resume r$/],
  ['in a check', { status: 'checking', steering: toPause }, false, /when the check of round 3 has ended/],
  [
    'at the gates before round 1',
    { status: 'checking', round: 0, steering: toPause },
    false,
    /the check before round 1 has ended\./,
  ],
  [
    'while it prepares',
    { status: 'preparing', steering: toPause },
    true,
    /when its workspace is prepared.*Take it back/,
  ],
  ['once it stands still', { status: 'paused', steering: toPause }, true, /^r is paused\. +Go on: ralph resume r$/],
  ['at once, and not disposed of yet', { steering: toPause }, true, /still being disposed of/],
  ['when it has not heard', {}, false, /^The pause is on its way: r hears it when a worker is there\.$/],
  [
    'at its end',
    { status: 'complete', steering: toPause },
    false,
    /^r is ending \(complete\): there is nothing to pause\.$/,
  ],
])('a pause %s says what comes of it', (_when, memo, now, text) => {
  expect(pauseText(run(memo), now)).toMatch(text);
});

test('a stop says when it is obeyed, and that a claim under way may still stand', () => {
  expect(stopText(run({ steering: toStop }))).toMatch(/^r stops when round 3 has ended\. .*ralph cancel r$/);
  expect(stopText(run({ status: 'checking', steering: toStop }))).toMatch(
    /has ended, unless the claim stands: then it is/,
  );
  expect(stopText(run({}))).toMatch(/^The stop is on its way/);
});

test('a resume says what the run does now, or that it was not paused', () => {
  const paused = run({ status: 'paused', steering: toPause });
  expect(resumeText(paused, run({}))).toBe('r goes on: it is in round 3.   Follow: ralph watch r');
  expect(resumeText(run({}), run({}))).toBe('r was not paused: it is in round 3.');
  expect(resumeText(paused, paused)).toMatch(/^The resume is on its way/);
});

test('a retry says whether the wait is over, or began anew', () => {
  const now = Date.parse(at);
  expect(retryText(run({}), at, now)).toMatch(/^The wait is over: r is in round 3\./);
  const again = run({ status: 'waiting', until: '2026-01-06T09:00:00.000Z', why: 'network: no route' });
  expect(retryText(again, at, now)).toMatch(/^r tried again, and waits anew until 2026-01-06 .*: network: no route$/);
  expect(retryText(run({ status: 'waiting', until: at }), at, now)).toMatch(/^The retry is on its way/);
});
