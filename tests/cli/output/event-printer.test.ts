import { noBudgets, nothingSpent } from '../../../schemas/budget.ts';
import type { RunEvent } from '../../../client/watch-run.ts';
import { clock } from '../../../cli/output/amounts.ts';
import { eventPrinter } from '../../../cli/output/event-printer.ts';
import { displayWidth } from '../../../cli/output/width.ts';
import type { CheckProgress } from '../../../schemas/check-progress.ts';
import type { RunMemo } from '../../../schemas/memo.ts';
import { freeRun } from '../../../schemas/steering.ts';
import type { RoundProgress } from '../../../schemas/round-input.ts';
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
    steering: freeRun,
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
      startedAt: started,
      endedAt: null,
      view,
    },
  };
}
const ended: RunEvent = {
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
      startedAt: '2026-01-01T00:00:00.000Z',
      endedAt: '2026-01-01T00:02:03.000Z',
      path: 'rounds/2/attempt-1',
    },
  ],
};
const ENDED = '✓ round 2  continue  2m 3s  12 files +120 −80  Migrated 12 of 47 calls. The rest follows.';

test('on a terminal one line is drawn again and again, as wide as fits; ended rounds stay above it', () => {
  const { terminal, printed } = screen(60);
  const printer = eventPrinter(terminal, { aside: false, ending: false });
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

test('in a pipe nothing is drawn: what happens is a line, said once, and never cut', () => {
  const { terminal, printed } = pipe();
  const printer = eventPrinter(terminal, { aside: false, ending: false });
  for (let times = 0; times < 3; times += 1) printer.print(state({}));
  printer.print(state({ progress: null }));
  printer.print(ended);
  printer.end();
  expect(printed).toEqual({ stdout: `round 2 of 9  started\n${ENDED}\n`, stderr: '' });
});

test('beside a JSON document progress goes to stderr, on a terminal too', () => {
  const { terminal, printed } = screen(200);
  const printer = eventPrinter(terminal, { aside: true, ending: false });
  printer.print(state({}));
  printer.print(ended);
  printer.end();
  expect(printed).toEqual({ stdout: '', stderr: `round 2 of 9  started\n${ENDED}\n` });
});

test('what a run waits for is said: a limit, a worker, Temporal', () => {
  const { terminal, printed } = pipe();
  const printer = eventPrinter(terminal, { aside: false, ending: false });
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
    'the worker had died; another one was started',
    expect.stringMatching(/^waiting until Temporal misses the worker that is gone/),
    expect.stringMatching(/^Temporal does not answer/),
  ]);
});

test('of a claim that is checked every gate is told once, and a reviewer once', () => {
  const { terminal, printed } = pipe();
  const printer = eventPrinter(terminal, { aside: false, ending: false });
  const gates: CheckProgress = { what: 'gates', round: 2, check: 1, startedAt: started, activity: null, tokens: null };
  const checking = { status: 'checking', why: 'gates' } as const;
  printer.print(state({ memo: { ...checking, round: 0, why: 'gates before round 1' }, progress: null }));
  for (const activity of ['npm ci', 'npm ci', 'npm \u001b[31mtest']) {
    printer.print(state({ memo: checking, progress: null, check: { ...gates, activity } }));
  }
  for (const activity of ['reads a.js', 'reads b.js']) {
    const check: CheckProgress = { ...gates, what: 'review', activity };
    printer.print(state({ memo: { ...checking, why: 'review by codex' }, progress: null, check }));
  }
  printer.end();
  expect(printed.stdout.trimEnd().split('\n')).toEqual([
    'gates before round 1',
    'round 2: gates  npm ci',
    'round 2: gates  npm test',
    'round 2: review by codex',
  ]);
  const drawn = screen(80);
  const live = eventPrinter(drawn.terminal, { aside: false, ending: false });
  live.print(state({ memo: checking, progress: null, check: { ...gates, activity: 'npm test' } }));
  expect(seen(drawn.printed.stdout)[0]).toMatch(/round 2: gates {2}1m \ds {2}npm test/);
  live.end();
});

test('while a run is cancelled what it does is not told, and that no worker is alive is', () => {
  const { terminal, printed } = pipe();
  const printer = eventPrinter(terminal, { aside: false, ending: true });
  printer.print(state({}));
  printer.print(state({ worker: 'dead' }));
  printer.end();
  expect(printed.stdout).toBe('no worker is alive; `ralph up` starts one\n');
});
