import { ApplicationFailure, WorkflowFailedError } from '@temporalio/client';
import { engine } from '../support/engine.ts';
import { launcher } from '../support/launcher.ts';
import { done, goOn } from '../support/scripted-agent.ts';
import { readAttempts } from '../../workspaces/records/ledger.ts';
import { readEnding } from '../../workspaces/records/runs.ts';

const ralph = engine('stalled');
const launch = launcher(ralph);
const change = (n: number) => ({ [`${n}.txt`]: String(n) });
const claim = (n: number) => ({ files: change(n), report: done(String(n)) });
const goes = (n: number) => ({ files: change(n), report: goOn(String(n)) });

test('three rounds that change nothing stall, however new their words are; three real changes in the same words do not', async () => {
  const limits = { stallRounds: 3, maxRounds: 4 };
  const idle = await launch([{ report: goOn('a') }, { report: goOn('b') }, { report: goOn('c') }], { limits });
  const busy = await launch(
    [1, 2, 3, 4].map((n) => ({ files: change(n), report: goOn('same') })),
    { limits },
  );
  expect(await idle.handle.result()).toMatchObject({
    status: 'stalled',
    cause: 'unchanged-tree',
    rounds: 3,
    reason: expect.stringContaining('3 rounds'),
    handoff: { summary: 'c' },
  });
  expect(await busy.handle.result()).toMatchObject({ status: 'budget-limited', budget: 'rounds', rounds: 4 });
});

test('a change that an agent commits itself, or that a failed attempt leaves, is a change', async () => {
  const { handle } = await launch(
    [
      { report: goOn('a') },
      { files: change(1), commit: 'mine', report: goOn('b') },
      { report: goOn('c') },
      { files: change(2), exit: 1 },
      { report: goOn('d') },
      { report: done('e') },
    ],
    { limits: { stallRounds: 2 } },
  );
  expect(await handle.result()).toMatchObject({ status: 'complete', rounds: 5 });
});

test('the same fault three times running stalls the run where attempts are left, with what it used', async () => {
  const { handle, paths, agent } = await launch([{ exit: 7 }], { limits: { roundAttempts: 9 } });
  expect(await handle.result()).toMatchObject({
    status: 'stalled',
    cause: 'same-fault',
    reason: expect.stringContaining('agent-crashed'),
  });
  expect(agent.starts()).toHaveLength(3);
  const ending = await readEnding(paths);
  expect(ending?.state?.spent).toMatchObject({ unreported: { tokens: 3, costUsd: 3 } });
  expect(ending?.state?.spent.timeMs).toBeGreaterThan(0);
});

test('claims that are refused stall a run only in a row: a round that goes on in between begins it anew', async () => {
  // It never fails alike: the same failure is another reason to stall.
  const gates = [{ command: 'date +%N; test -f well', timeoutMs: 20_000 }];
  const asked = { limits: { maxRejections: 2 }, checks: { gates } };
  const apart = await launch([claim(1), goes(2), claim(3), goes(4), { files: { well: '' }, report: done('5') }], asked);
  const inARow = await launch([claim(1), goes(2), claim(3), claim(4)], asked);
  expect(await apart.handle.result()).toMatchObject({ status: 'complete', rounds: 5 });
  expect(await inARow.handle.result()).toMatchObject({ status: 'stalled', rounds: 4 });
});

test('a round that ran out of time with work done counts as a round; one without is a fault', async () => {
  const limits = { roundTimeoutMs: 1_500, roundAttempts: 1, maxRounds: 3 };
  const working = await launch([{ files: change(1), sleep: 60 }, { report: done('d') }], { limits });
  const idle = await launch([{ sleep: 60 }, { report: done('d') }], { limits });
  expect(await working.handle.result()).toMatchObject({ status: 'complete', rounds: 2 });
  expect((await readAttempts(working.paths)).map(({ round, outcome }) => `${round} ${outcome}`)).toEqual([
    '1 round-timeout',
    '2 complete',
  ]);
  const error = await idle.handle.result().catch((reason: unknown) => reason);
  if (!(error instanceof WorkflowFailedError) || !(error.cause instanceof ApplicationFailure)) throw error;
  expect(error.cause.type).toBe('round-timeout');
});
