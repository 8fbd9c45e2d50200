import { pauseText, resumeText, retryText, stopText } from '../../../client/describe/control-words.ts';
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
    controls: { pause: false, stop: false },
    controlsTaken: 0,
    commit: null,
    ref: null,
    until: null,
    why: null,
    receipt: null,
    ...memo,
  };
  const view = { workflowId: 'r', executionId: 'e', namespace: 'default', status: 'RUNNING', page: null };
  return {
    runId: 'r',
    status: 'open',
    memo: whole,
    progress: null,
    check: null,
    cancelRequested: false,
    startedAt: at,
    endedAt: null,
    view,
  };
}
const toPause = { pause: true, stop: false };
const toStop = { pause: false, stop: true };

test.each<[string, Partial<RunMemo>, boolean, RegExp]>([
  ['in a round', { controls: toPause }, false, /^r pauses when round 3 ends\. .*--now .*ralph resume r$/],
  ['in a check', { status: 'checking', controls: toPause }, false, /when the verification of round 3 ends/],
  [
    'at the gates before round 1',
    { status: 'checking', round: 0, controls: toPause },
    false,
    /the check before round 1 ends\./,
  ],
  ['while it prepares', { status: 'preparing', controls: toPause }, true, /when its workspace is prepared.*Undo/],
  ['once it stands still', { status: 'paused', controls: toPause }, true, /^r is paused\. +Resume: ralph resume r$/],
  ['at once, and not disposed of yet', { controls: toPause }, true, /still being disposed of/],
  ['when it has not heard', {}, false, /^The pause is sent\. r receives it when a worker is alive\.$/],
  [
    'at its end',
    { status: 'complete', controls: toPause },
    false,
    /^r is ending \(complete\): there is nothing to pause\.$/,
  ],
])('a pause %s says what comes of it', (_when, memo, now, text) => {
  expect(pauseText(run(memo), now)).toMatch(text);
});

test('a stop says when it is obeyed, and that a claim under way may still stand', () => {
  expect(stopText(run({ controls: toStop }))).toMatch(/^r stops when round 3 ends\. .*ralph cancel r$/);
  expect(stopText(run({ status: 'checking', controls: toStop }))).toMatch(
    /ends, unless the completion claim is accepted: then it is/,
  );
  expect(stopText(run({}))).toMatch(/^The stop is sent/);
});

test('a resume says what the run does now, or that it was not paused', () => {
  const paused = run({ status: 'paused', controls: toPause });
  expect(resumeText(paused, run({}))).toBe('r is resumed: it is in round 3.   Follow: ralph watch r');
  expect(resumeText(run({}), run({}))).toBe('r was not paused: it is in round 3.');
  expect(resumeText(paused, paused)).toMatch(/^The resume is sent/);
});

test('a retry says whether the wait is over, or began anew', () => {
  const now = Date.parse(at);
  expect(retryText(run({}), at, now)).toMatch(/^The wait is over: r is in round 3\./);
  const again = run({ status: 'waiting', until: '2026-01-06T09:00:00.000Z', why: 'network: no route' });
  expect(retryText(again, at, now)).toMatch(/^r tried again and now waits until 2026-01-06 .*: network: no route$/);
  expect(retryText(run({ status: 'waiting', until: at }), at, now)).toMatch(/^The retry is sent/);
});
