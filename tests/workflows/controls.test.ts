import type { WorkflowHandle } from '@temporalio/client';
import { sendControl } from '../../client/control/controls.ts';
import { noBudgets } from '../../schemas/budget/budget.ts';
import { MAX_CONTROLS } from '../../schemas/loop/control.ts';
import { MEMO_KEY, RunMemo } from '../../schemas/loop/memo.ts';
import type { RunStatus } from '../../schemas/loop/memo.ts';
import { readOutcome } from '../../workspaces/records/attempts.ts';
import { readAttempts } from '../../workspaces/records/ledger.ts';
import { readEnding } from '../../workspaces/records/runs.ts';
import { reviewsAt } from '../../workspaces/records/steps.ts';
import { controlSignal } from '../../workflows/messages.ts';
import { engine } from '../support/engine.ts';
import { launcher } from '../support/launcher.ts';
import { done, goOn } from '../support/scripted-agent.ts';
import { survivors } from '../support/survivors.ts';
import { waitFor } from '../support/wait-for.ts';
import { message } from '../support/control-message.ts';

const ralph = engine('steering');
const launch = launcher(ralph);

const memoOf = async (handle: WorkflowHandle) => RunMemo.parse((await handle.describe()).memo?.[MEMO_KEY]);
const untilStatus = (handle: WorkflowHandle, status: RunStatus) =>
  waitFor(status, 20_000, async () => (await memoOf(handle)).status === status);

test('a pause stands after the round under way, and the next one begins when it is resumed', async () => {
  const { handle, agent } = await launch([{ sleep: 30, report: goOn('1') }, { report: done('2') }]);
  await waitFor('the agent', 20_000, () => agent.worked(1));
  await handle.signal(controlSignal, message({ kind: 'pause', now: false }));
  agent.go();
  await untilStatus(handle, 'paused');
  expect(agent.starts()).toHaveLength(1);
  expect(await memoOf(handle)).toMatchObject({ round: 2 });
  await handle.signal(controlSignal, message({ kind: 'resume' }));
  expect(await handle.result()).toMatchObject({ status: 'complete', rounds: 2 });
});

test('a pause at once disposes of the round, keeps its work, and the round is attempted again', async () => {
  const { handle, agent, paths } = await launch([
    { files: { 'half.txt': 'half' }, leave: 300, sleep: 60, report: done('1') },
    { report: done('again') },
  ]);
  await waitFor('the agent', 20_000, () => agent.worked(1));
  await handle.signal(controlSignal, message({ kind: 'pause', now: true }));
  await untilStatus(handle, 'paused');
  expect(survivors(paths.root)).toEqual([]);
  const paused = { round: 1, attempt: 1, outcome: 'paused', changes: { files: 1 } };
  expect(await readAttempts(paths)).toMatchObject([paused]);
  expect(await readOutcome(paths, 1, 1)).toMatchObject({
    kind: 'interrupted',
    by: 'paused',
    receipt: { cause: 'paused' },
  });
  await handle.signal(controlSignal, message({ kind: 'resume' }));
  expect(await handle.result()).toMatchObject({ status: 'complete', rounds: 1, report: { summary: 'again' } });
  expect(agent.starts()[1]?.files).toContain('half.txt');
  // Neither attempt reported usage, and no round before them gives a guess.
  expect((await readEnding(paths))?.state?.spent).toMatchObject({
    estimates: { timeMs: false, tokens: false, costUsd: false },
    unreported: { tokens: 2, costUsd: 2 },
  });
});

test('a cancel gets through a pause', async () => {
  const { handle, agent } = await launch([{ sleep: 30, report: goOn('1') }]);
  await waitFor('the agent', 20_000, () => agent.worked(1));
  await handle.signal(controlSignal, message({ kind: 'pause', now: false }));
  agent.go();
  await untilStatus(handle, 'paused');
  await handle.cancel();
  await expect(handle.result()).rejects.toThrow('cancelled');
  expect(await memoOf(handle)).toMatchObject({ status: 'cancelled' });
});

test('a stop ends the run after the round under way, also one that is paused', async () => {
  const running = await launch([{ sleep: 30, report: goOn('1') }]);
  await waitFor('the agent', 20_000, () => running.agent.worked(1));
  await running.handle.signal(controlSignal, message({ kind: 'stop' }));
  running.agent.go();
  expect(await running.handle.result()).toMatchObject({ status: 'stopped', rounds: 1, handoff: { summary: '1' } });
  expect(running.agent.starts()).toHaveLength(1);

  const paused = await launch([{ sleep: 30, report: goOn('1') }]);
  await waitFor('the agent', 20_000, () => paused.agent.worked(1));
  await paused.handle.signal(controlSignal, message({ kind: 'pause', now: true }));
  await untilStatus(paused.handle, 'paused');
  await paused.handle.signal(controlSignal, message({ kind: 'stop' }));
  expect(await paused.handle.result()).toMatchObject({ status: 'stopped', rounds: 0, handoff: null });
});

test('a completion that comes under a stop is a completion', async () => {
  const { handle, agent } = await launch([{ sleep: 30, report: done('1') }]);
  await waitFor('the agent', 20_000, () => agent.worked(1));
  await handle.signal(controlSignal, message({ kind: 'stop' }));
  agent.go();
  expect(await handle.result()).toMatchObject({ status: 'complete' });
});

test('a stop ends a wait between two tries at a check, and no other try is made', async () => {
  const reviewer = { provider: 'command', command: 'cat >/dev/null; exit 3', model: null } as const;
  const { handle, agent, paths } = await launch([{ files: { 'b.txt': 'b' }, report: done('1') }], {
    checks: { reviewer },
    limits: { roundAttempts: 10 },
  });
  await waitFor('the agent', 20_000, () => agent.worked(1));
  await untilStatus(handle, 'waiting');
  await handle.signal(controlSignal, message({ kind: 'stop' }));
  expect(await handle.result()).toMatchObject({ status: 'stopped', rounds: 1 });
  expect(reviewsAt(paths, 1).length).toBeLessThan(4);
});

test('a budget of rounds that is raised on a running run is used, over a continue-as-new, and never lowered', async () => {
  const { handle, agent, paths } = await launch(
    [{ sleep: 30, report: goOn('1') }, { report: goOn('2') }, { report: goOn('3') }, { report: goOn('4') }],
    { limits: { maxRounds: 1 }, settings: { continueAfterRounds: 1 } },
  );
  await waitFor('the agent', 20_000, () => agent.worked(1));
  await handle.signal(controlSignal, message({ kind: 'raise', maxRounds: 3, budgets: noBudgets }));
  await handle.signal(controlSignal, message({ kind: 'raise', maxRounds: 2, budgets: noBudgets }));
  agent.go();
  expect(await handle.result()).toMatchObject({ status: 'budget-limited', budget: 'rounds', rounds: 3 });
  expect(agent.starts()[2]?.env['RALPH_MAX_ROUNDS']).toBe('3');
  expect((await readEnding(paths))?.state?.ceilings).toMatchObject({ maxRounds: 3 });
});

test('what is no word of ours changes nothing', async () => {
  const { handle, agent } = await launch([{ sleep: 30, report: done('1') }]);
  await waitFor('the agent', 20_000, () => agent.worked(1));
  await ralph.server().client.workflow.getHandle(handle.workflowId).signal('steer', { kind: 'explode' });
  await ralph.server().client.workflow.getHandle(handle.workflowId).signal('steer');
  agent.go();
  expect(await handle.result()).toMatchObject({ status: 'complete' });
});

test('a run takes a thousand controls, says how many it took, and no more', async () => {
  const { handle, agent } = await launch([{ sleep: 60, report: goOn('1') }, { report: done('2') }]);
  await waitFor('the agent', 20_000, () => agent.worked(1));
  for (let sent = 0; sent < MAX_CONTROLS; sent += 100) {
    await Promise.all(
      Array.from({ length: 100 }, async () => {
        await handle.signal(controlSignal, message({ kind: 'resume' }));
      }),
    );
  }
  await waitFor('all of them', 30_000, async () => (await memoOf(handle)).controlsTaken === MAX_CONTROLS);
  const full = { runId: handle.workflowId, memo: await memoOf(handle) };
  const more = sendControl(ralph.server(), full, { kind: 'stop' });
  await expect(more).rejects.toMatchObject({ code: 'no-controls-left' });
  await handle.signal(controlSignal, message({ kind: 'stop' }));
  agent.go();
  expect(await handle.result()).toMatchObject({ status: 'complete', rounds: 2 });
});
