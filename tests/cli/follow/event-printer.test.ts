import { noBudgets, nothingSpent } from '../../../schemas/budget/budget.ts';
import type { CheckOutcome } from '../../../client/view/round-view.ts';
import type { RunEvent } from '../../../client/follow/watch-run.ts';
import { clock } from '../../../client/describe/amounts.ts';
import { eventPrinter } from '../../../cli/follow/event-printer.ts';
import { displayWidth } from '../../../client/describe/width.ts';
import type { CheckProgress, RoundProgress } from '../../../schemas/round/round-progress.ts';
import type { RunMemo } from '../../../schemas/loop/memo.ts';
import { noControls } from '../../../schemas/loop/control.ts';
import { pipe, screen, seen } from '../support/terminals.ts';

type State = Extract<RunEvent, { kind: 'state' }>;

const started = new Date(Date.now() - 65_500).toISOString();
const working: RoundProgress = {
  round: 2,
  attempt: 1,
  phase: 'agent',
  startedAt: started,
  activity: 'Edit \u001b[31mlib/a.js\u001b[0m and then run a very long command line that fits into no terminal at all',
  tokens: 14_200,
  counters: null,
};
function state(more: {
  memo?: Partial<RunMemo>;
  progress?: RoundProgress | null;
  check?: CheckProgress;
  worker?: State['worker'];
}): State {
  const memo: RunMemo = {
    status: 'running',
    title: 't',
    repository: '/r',
    agent: 'command',
    hostId: 'a'.repeat(16),
    round: 2,
    maxRounds: 9,
    budgets: noBudgets,
    spent: nothingSpent,
    controls: noControls,
    controlsTaken: 0,
    commit: null,
    ref: null,
    until: null,
    why: null,
    receipt: null,
    ...more.memo,
  };
  const view = { workflowId: 'x', executionId: 'y', namespace: 'default', status: 'RUNNING', page: null };
  const progress = more.progress === undefined ? working : more.progress;
  return {
    kind: 'state',
    worker: more.worker ?? 'alive',
    run: {
      runId: 'x',
      status: 'open',
      memo,
      progress,
      check: more.check ?? null,
      cancelRequested: false,
      startedAt: started,
      endedAt: null,
      view,
    },
  };
}
const ended: Extract<RunEvent, { kind: 'attempts' }> = {
  kind: 'attempts',
  ended: [
    {
      round: 2,
      attempt: 1,
      status: 'valid',
      outcome: 'continue',
      summary: 'Migrated 12 of 47 calls.\nThe rest follows.',
      commit: 'c'.repeat(40),
      secrets: [],
      changes: { files: 12, insertions: 120, deletions: 80 },
      usage: null,
      costUsd: null,
      costEstimated: false,
      agent: null,
      agentMs: null,
      startedAt: '2026-01-01T00:00:00.000Z',
      endedAt: '2026-01-01T00:02:03.000Z',
      path: 'rounds/2/attempt-1',
    },
  ],
};
const ENDED = '✓ round 2  continue  2m 3s  12 files +120 −80  Migrated 12 of 47 calls. The rest follows.';

test('on a terminal one line is drawn again and again, as wide as fits; ended rounds stay above it', () => {
  const { terminal, printed } = screen(60);
  const printer = eventPrinter(terminal, { runId: 'x', aside: false, ending: false });
  printer.print(state({}));
  printer.print(state({}));
  const [line, ...others] = seen(printed.stdout);
  expect(others).toEqual([]);
  expect(line).toMatch(/^\S round 2 of 9 {2}1m 5s {2}14\.2k tokens {2}Edit lib\/a\.js and/);
  expect(displayWidth(line ?? '')).toBeLessThan(60);
  printer.print(ended);
  printer.print(state({ progress: { ...working, round: 3 }, memo: { round: 3 } }));
  printer.end();
  const [round, foot] = seen(printed.stdout);
  expect(ENDED.startsWith((round ?? '').replace('…', ''))).toBe(true);
  expect(foot).toBe('');
});

test('a round that reports completion is told as the claim that it is', () => {
  const { terminal, printed } = pipe();
  const printer = eventPrinter(terminal, { runId: 'x', aside: false, ending: false });
  const [line] = ended.ended;
  if (line === undefined) throw new Error('no line');
  printer.print({ kind: 'attempts', ended: [{ ...line, outcome: 'complete' }] });
  printer.end();
  expect(printed.stdout).toMatch(/^· round 2 {2}claims completion {2}2m 3s /);
});

test('in a pipe nothing is drawn: what happens is a line, said once, and never cut', () => {
  const { terminal, printed } = pipe();
  const printer = eventPrinter(terminal, { runId: 'x', aside: false, ending: false });
  for (let times = 0; times < 3; times += 1) printer.print(state({}));
  printer.print(state({ progress: null }));
  printer.print(ended);
  printer.end();
  expect(printed).toEqual({ stdout: `round 2 of 9  started\n${ENDED}\n`, stderr: '' });
});

test('beside a JSON document progress goes to stderr, on a terminal too', () => {
  const { terminal, printed } = screen(200);
  const printer = eventPrinter(terminal, { runId: 'x', aside: true, ending: false });
  printer.print(state({}));
  printer.print(ended);
  printer.end();
  expect(printed).toEqual({ stdout: '', stderr: `round 2 of 9  started\n${ENDED}\n` });
});

test('what a run waits for is said: a limit, a worker, Temporal', () => {
  const { terminal, printed } = pipe();
  const printer = eventPrinter(terminal, { runId: 'x', aside: false, ending: false });
  const until = '2099-01-01T00:00:00.000Z';
  printer.print(state({ memo: { status: 'waiting', until, why: 'usage-limited: the plan is spent' } }));
  printer.print(state({ worker: 'dead' }));
  printer.print({ kind: 'revived' });
  printer.print(state({ worker: 'replaced' }));
  printer.print({ kind: 'offline' });
  printer.end();
  expect(printed.stdout.trimEnd().split('\n')).toEqual([
    `waiting until ${clock(until, Date.now())}: usage-limited: the plan is spent`,
    'no worker is alive; `ralph up` starts one',
    'the worker had died; another worker was started',
    expect.stringMatching(/^waiting until Temporal notices that the worker is gone/),
    expect.stringMatching(/^Temporal does not answer/),
  ]);
});

const gatesEnded = (number: number, outcome: CheckOutcome): RunEvent => ({
  kind: 'checks',
  ended: [{ check: 'gates', round: 2, claimOf: null, number, outcome, took: null }],
});
const accepted: CheckOutcome = { kind: 'accepted', gates: [] };

test('a check is told once, whatever it does, its result once, and nothing of it after that', () => {
  const { terminal, printed } = pipe();
  const printer = eventPrinter(terminal, { runId: 'x', aside: false, ending: false });
  const gates: CheckProgress = {
    what: 'gates',
    round: 2,
    check: 1,
    startedAt: started,
    activity: null,
    tokens: null,
    counters: null,
  };
  const checking = { status: 'checking', why: 'gates' } as const;
  printer.print(state({ memo: { ...checking, round: 0, why: 'gates before round 1' }, progress: null }));
  const none = state({ memo: checking, progress: null });
  const at = (check: number, activity: string | null = null): State =>
    state({ memo: checking, progress: null, check: { ...gates, check, activity } });
  for (const event of [none, at(1), at(1, 'npm ci'), at(1, 'npm \u001b[31mtest'), none]) printer.print(event);
  for (const event of [gatesEnded(1, { kind: 'failed', reason: 'disk-full: no space' }), at(1, 'npm test'), none])
    printer.print(event);
  for (const event of [at(2), at(2, 'npm ci'), gatesEnded(2, accepted), none]) printer.print(event);
  for (const activity of ['reads a.js', 'reads b.js']) {
    const check: CheckProgress = { ...gates, what: 'review', activity };
    printer.print(state({ memo: { ...checking, why: 'review by codex' }, progress: null, check }));
  }
  printer.end();
  expect(printed.stdout.trimEnd().split('\n')).toEqual([
    'gates before round 1',
    'round 2: gates',
    '✗ gates of round 2: could not be completed: disk-full: no space',
    'round 2: gates',
    '✓ gates of round 2 (2): passed',
    'round 2: review by codex',
  ]);
  const drawn = screen(80);
  const live = eventPrinter(drawn.terminal, { runId: 'x', aside: false, ending: false });
  live.print(state({ memo: checking, progress: null, check: { ...gates, activity: 'npm test' } }));
  expect(seen(drawn.printed.stdout)[0]).toMatch(/round 2: gates {2}1m \ds {2}npm test/);
  live.end();
});

test('a check that was over before it was seen is not announced after its result', () => {
  const { terminal, printed } = pipe();
  const printer = eventPrinter(terminal, { runId: 'x', aside: false, ending: false });
  const memo = { status: 'checking', why: 'gates' } as const;
  const check: CheckProgress = {
    what: 'gates',
    round: 2,
    check: 1,
    startedAt: started,
    activity: null,
    tokens: null,
    counters: null,
  };
  printer.print(gatesEnded(1, accepted));
  printer.print(state({ memo, progress: null }));
  printer.print(state({ memo, progress: null, check }));
  printer.print(state({ memo: { ...memo, why: 'review by codex' }, progress: null, check }));
  printer.end();
  expect(printed.stdout).toBe('✓ gates of round 2: passed\nround 2: review by codex\n');
});

test('gates that fail say what they said last, and one whose command is not there that no claim can pass', () => {
  const { terminal, printed } = pipe();
  const printer = eventPrinter(terminal, { runId: 'x', aside: false, ending: false });
  const red = { result: 'failed', timedOut: false, ms: 5, changed: [] } as const;
  const said = 'Missing script: "chekc"';
  const gates = [
    { ...red, command: 'npm test', exitCode: 1, said: '2 of 48 failed' },
    { ...red, command: 'npm run chekc', exitCode: 1, said },
    { ...red, command: 'nosuchprog', exitCode: 127, said: null },
  ];
  const before = { check: 'gates', round: 0, claimOf: null, number: 1, took: null } as const;
  printer.print({ kind: 'checks', ended: [{ ...before, outcome: { kind: 'baseline', gates } }] });
  printer.end();
  expect(printed.stdout.trimEnd().split('\n')).toEqual([
    '· gates before round 1: ✗ npm test: exit code 1; ✗ npm run chekc: exit code 1; ✗ nosuchprog: exit code 127, command not found',
    '    npm test: 2 of 48 failed',
    `    npm run chekc: ${said}`,
    expect.stringMatching(/^! gate "npm run chekc": what it runs does not exist\. No completion claim can pass/),
    expect.stringMatching(
      /^! gate "nosuchprog": the command was not found\. No completion claim can pass.*`ralph cancel x`/,
    ),
  ]);
});

test('while a run is cancelled what it does is not told, and that no worker is alive is', () => {
  const { terminal, printed } = pipe();
  const printer = eventPrinter(terminal, { runId: 'x', aside: false, ending: true });
  printer.print(state({}));
  printer.print(state({ worker: 'dead' }));
  printer.end();
  expect(printed.stdout).toBe('no worker is alive; `ralph up` starts one\n');
});
