import type { WorkflowHandle } from '@temporalio/client';
import { noBudgets, type Budgets } from '../../schemas/budget/budget.ts';
import { MEMO_KEY, RunMemo, type RunStatus } from '../../schemas/loop/memo.ts';
import { readEnding } from '../../workspaces/records/runs.ts';
import { reviewsAt } from '../../workspaces/records/steps.ts';
import { controlSignal } from '../../workflows/messages.ts';
import { engine } from '../support/engine.ts';
import { launcher } from '../support/launcher.ts';
import { done, goOn } from '../support/scripted-agent.ts';
import { survivors } from '../support/survivors.ts';
import { waitFor } from '../support/wait-for.ts';
import { message } from '../support/control-message.ts';

const ralph = engine('interrupted');
const launch = launcher(ralph);

const held = (budgets: Partial<Budgets>) => ({ checks: { budgets: { ...noBudgets, ...budgets } } });
const use = (inputTokens: number, costUsd: number) => ({ inputTokens, outputTokens: 0, costUsd });
const untilStatus = (handle: WorkflowHandle, status: RunStatus) =>
  waitFor(status, 20_000, async () => {
    const memo = RunMemo.safeParse((await handle.describe()).memo?.[MEMO_KEY]);
    return memo.success && memo.data.status === status;
  });

test('what a paused attempt told is charged as told, also in round 1, and leaves the next attempt the rest', async () => {
  const { handle, agent, paths } = await launch(
    [
      { use: use(18, 18), sleep: 60 },
      { use: use(1, 1), files: { 'a.txt': '2' }, report: goOn('1') },
      { report: done('2') },
    ],
    held({ maxCostUsd: 20 }),
  );
  await waitFor('the agent', 20_000, () => agent.worked(1));
  // It is read while the agent works.
  await waitFor(
    'its use',
    20_000,
    async () => JSON.stringify((await handle.describe()).raw.pendingActivities) !== '[]',
  );
  await handle.signal(controlSignal, message({ kind: 'pause', now: true }));
  await untilStatus(handle, 'paused');
  await handle.signal(controlSignal, message({ kind: 'resume' }));
  expect(await handle.result()).toMatchObject({ status: 'budget-limited', budget: 'cost', rounds: 1 });
  expect((await readEnding(paths))?.state?.spent).toMatchObject({ costUsd: 19, tokens: 19 });
});

test('what a cancel ended is charged once', async () => {
  const { handle, agent, paths } = await launch([
    { use: use(5, 1), files: { 'a.txt': '1' }, report: goOn('1') },
    { use: use(3, 0.5), sleep: 60 },
  ]);
  await waitFor('the second agent', 20_000, () => agent.worked(2));
  await handle.cancel();
  await expect(handle.result()).rejects.toThrow('cancelled');
  expect((await readEnding(paths))?.state?.spent).toMatchObject({
    costUsd: 1.5,
    tokens: 8,
    estimates: { costUsd: false },
  });
  const memo = RunMemo.parse((await handle.describe()).memo?.[MEMO_KEY]);
  expect(memo.spent).toMatchObject({ costUsd: 1.5 });
});

test('a cancel reaches the agent in a moment, however late a lost worker is missed', async () => {
  const { handle, agent } = await launch([{ sleep: 90 }], { settings: { heartbeatTimeoutMs: 60_000 } });
  await waitFor('the agent', 20_000, () => agent.worked(1));
  await handle.cancel();
  // By the SDK's own leave the worker would ask every 48 s.
  await waitFor('its end', 10_000, () => survivors(agent.folder).length === 0);
  await expect(handle.result()).rejects.toThrow('cancelled');
});

test('an attempt of a worker that is stopped goes to the loop, which charges it before another is begun', async () => {
  const { handle, agent, paths } = await launch(
    [{ use: use(5, 9), files: { 'a.txt': '1' }, sleep: 60 }, { report: done('1') }],
    held({ maxCostUsd: 9.5 }),
  );
  await waitFor('the agent', 20_000, () => agent.worked(1));
  await ralph.stopWorkers();
  await ralph.startWorkers();
  await waitFor('the second agent', 20_000, () => agent.worked(2));
  expect(await handle.result()).toMatchObject({ status: 'complete', rounds: 1 });
  expect((await readEnding(paths))?.state?.spent).toMatchObject({ costUsd: 9 });
});

test('a worker that is lost again at the same round is waited for, and no round is charged', async () => {
  const { handle, agent, paths } = await launch([{ sleep: 60 }, { sleep: 60 }, { report: done('d') }]);
  for (const n of [1, 2]) {
    await waitFor(`agent ${n}`, 30_000, () => agent.worked(n));
    await ralph.stopWorkers();
    await ralph.startWorkers();
  }
  await untilStatus(handle, 'waiting');
  const memo = RunMemo.parse((await handle.describe()).memo?.[MEMO_KEY]);
  expect(memo.why).toMatch(/^worker-lost: .* lost 2 times in a row$/);
  expect(await handle.result()).toMatchObject({ status: 'complete', rounds: 1 });
  // Five seconds, or down to half of it.
  const waited = (await readEnding(paths))?.state?.spent.waitMs;
  expect(waited).toBeGreaterThanOrEqual(2_500);
  expect(waited).toBeLessThanOrEqual(5_000);
});

test('a budget that is raised in mid-round keeps a run going whose attempt ended at what it knew', async () => {
  const { handle, agent } = await launch(
    [
      { files: { 'a.txt': '1' }, sleep: 3, use: use(11, 11), report: goOn('1') },
      { files: { 'a.txt': '2' }, report: done('2') },
    ],
    held({ maxCostUsd: 10 }),
  );
  await waitFor('the agent', 20_000, () => agent.worked(1));
  await handle.signal(
    controlSignal,
    message({ kind: 'raise', maxRounds: null, budgets: { ...noBudgets, maxCostUsd: 30 } }),
  );
  expect(await handle.result()).toMatchObject({ status: 'complete' });
});

test('a stop ends the run while a reviewer is waited for, and hands on what was claimed', async () => {
  const reviewer = { provider: 'command', command: 'cat > /dev/null; exit 3', model: null } as const;
  const { handle, paths } = await launch([{ files: { 'a.txt': '1' }, report: done('claimed') }], {
    checks: { reviewer },
    limits: { roundAttempts: 9 },
  });
  await untilStatus(handle, 'waiting');
  await handle.signal(controlSignal, message({ kind: 'stop' }));
  const result = await handle.result();
  expect(result).toMatchObject({ status: 'stopped', rounds: 1, handoff: { summary: 'claimed', status: 'continue' } });
  expect(reviewsAt(paths, 1).length).toBeLessThan(4);
});

test('a run that ends before the verdict on a claim names its round and hands on what was claimed', async () => {
  const reviewer = { provider: 'command', command: 'cat > /dev/null', model: null } as const;
  const { handle, paths } = await launch(
    [
      { files: { 'a.txt': '1' }, report: goOn('1') },
      { files: { 'a.txt': '2' }, report: done('claimed') },
    ],
    { checks: { reviewer }, limits: { reportAttempts: 1 } },
  );
  await expect(handle.result()).rejects.toThrow('Workflow execution failed');
  expect((await readEnding(paths))?.ending).toMatchObject({
    status: 'round-failed',
    round: 2,
    fault: { code: 'report-missing' },
    handoff: { summary: 'claimed', nextSteps: [expect.stringContaining('did not finish checking it')] },
  });
});
