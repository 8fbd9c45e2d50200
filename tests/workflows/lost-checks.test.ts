import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import type { WorkflowHandle } from '@temporalio/client';
import { noBudgets } from '../../schemas/budget/budget.ts';
import { MEMO_KEY, RunMemo } from '../../schemas/loop/memo.ts';
import { readAttempts } from '../../workspaces/records/ledger.ts';
import { readEnding } from '../../workspaces/records/runs.ts';
import { checkPaths, reviewPaths, type RunPaths } from '../../workspaces/records/run-paths.ts';
import { controlSignal } from '../../workflows/messages.ts';
import { readState } from '../../workspaces/records/loop-state.ts';
import { uncountedEvents } from '../../workspaces/records/uncounted.ts';
import { checkedLauncher, recordOf } from '../support/checked-launcher.ts';
import { engine } from '../support/engine.ts';
import { done } from '../support/scripted-agent.ts';
import { waitFor } from '../support/wait-for.ts';
import { message } from '../support/control-message.ts';

const ralph = engine('lost-checks');
const launch = checkedLauncher(ralph);

const LOST_MS = 1_500;
const memoOf = async (handle: WorkflowHandle): Promise<RunMemo> =>
  RunMemo.parse((await handle.describe()).memo?.[MEMO_KEY]);
const untilPaused = (handle: WorkflowHandle) =>
  waitFor('the pause', 20_000, async () => (await memoOf(handle)).status === 'paused');
/** Until something that has begun has lasted a while. */
const untilOld = (folder: string) =>
  waitFor('time to pass', 30_000, () => existsSync(folder) && Date.now() - statSync(folder).birthtimeMs > LOST_MS);
const msOf = ({ startedAt, endedAt }: { startedAt: string; endedAt: string }): number =>
  Date.parse(endedAt) - Date.parse(startedAt);

async function spentOf(paths: RunPaths) {
  const ending = await readEnding(paths);
  if (ending === null || ending.state === null) throw new Error('it has not ended');
  return ending.state.spent;
}

/** What is charged beside attempts, and checks that came to their end. */
async function chargedBeside(paths: RunPaths, checks: readonly [round: number, check: number][]): Promise<number> {
  const known = [...(await readAttempts(paths)), ...checks.map(([round, check]) => recordOf(paths, round, check))];
  return (await spentOf(paths)).timeMs - known.reduce((total, each) => total + msOf(each), 0);
}

const waitsFor = (folder: string, what: string): string =>
  `test -f '${folder}/start-1.json' || exit 0; touch '${folder}/${what}'; test -f '${folder}/go' || sleep 63`;
const launchWaiting = async () => {
  const run = await launch([{ report: done('1') }], (folder) => ({ gates: [waitsFor(folder, 'gate')] }));
  await untilOld(checkPaths(run.paths, 1, 1).root);
  await waitFor('the gate', 20_000, () => existsSync(path.join(run.folder, 'gate')));
  return run;
};

test('gates that a pause ended are charged, at once for who asks and for the loop when it goes on', async () => {
  const { handle, agent, paths } = await launchWaiting();
  await handle.signal(controlSignal, message({ kind: 'pause', now: true }));
  await untilPaused(handle);
  const state = await readState(paths);
  if (state === null) throw new Error('no state was written');
  expect(state.spent).toEqual((await memoOf(handle)).spent);
  expect(await uncountedEvents(paths, state)).toMatchObject([{ kind: 'gates-ran', result: { kind: 'lost' } }]);
  agent.go();
  await handle.signal(controlSignal, message({ kind: 'resume' }));
  expect(await handle.result()).toMatchObject({ status: 'complete' });
  const beside = await chargedBeside(paths, [
    [0, 1],
    [1, 2],
  ]);
  expect(beside).toBeGreaterThanOrEqual(LOST_MS);
});

test('gates that a cancel ended are charged', async () => {
  const { handle, paths } = await launchWaiting();
  await handle.cancel();
  await expect(handle.result()).rejects.toThrow('cancelled');
  expect(await chargedBeside(paths, [[0, 1]])).toBeGreaterThanOrEqual(LOST_MS);
});

test('gates whose worker was stopped are charged, and run again', async () => {
  const { handle, agent, paths } = await launchWaiting();
  await ralph.stopWorkers();
  agent.go();
  await ralph.startWorkers();
  expect(await handle.result()).toMatchObject({ status: 'complete' });
  const beside = await chargedBeside(paths, [
    [0, 1],
    [1, 2],
  ]);
  expect(beside).toBeGreaterThanOrEqual(LOST_MS);
});

/** A run with a reviewer that tells a dollar and then waits to be let go. */
const launchReviewed = async (maxCostUsd: number | null = null) => {
  const run = await launch(
    [{ use: { inputTokens: 5, outputTokens: 0, costUsd: 2 }, files: { 'a.txt': '1' }, report: done('1') }],
    (folder) => {
      const tells = `printf '{"inputTokens":40,"outputTokens":0,"costUsd":1}' > "$RALPH_USAGE_FILE"; echo begun`;
      const accepts = `printf '{"decision":"accept","reasons":[]}' > "$RALPH_REPORT_FILE"`;
      const command = `cat >/dev/null; ${tells}; test -f '${folder}/go' || sleep 63; ${accepts}`;
      const reviewer = { provider: 'command', command, model: null } as const;
      return { gates: [], readable: [folder], beside: { reviewer, budgets: { ...noBudgets, maxCostUsd } } };
    },
  );
  const { transcript } = reviewPaths(run.paths, 1, 1);
  await waitFor('the review', 30_000, () => existsSync(transcript) && statSync(transcript).size > 0);
  return run;
};

test('a review that a cancel ended is charged what it told', async () => {
  const { handle, paths } = await launchReviewed();
  await handle.cancel();
  await expect(handle.result()).rejects.toThrow('cancelled');
  expect(await spentOf(paths)).toMatchObject({ costUsd: 3, tokens: 45, estimates: { costUsd: false } });
});

test('a review that a pause ended is charged before another is begun, and leaves that the rest of the budget', async () => {
  const { handle, paths } = await launchReviewed(3.5);
  await handle.signal(controlSignal, message({ kind: 'pause', now: true }));
  await untilPaused(handle);
  await handle.signal(controlSignal, message({ kind: 'resume' }));
  expect(await handle.result()).toMatchObject({ status: 'budget-limited', budget: 'cost', rounds: 1 });
  expect(await spentOf(paths)).toMatchObject({ costUsd: 4, tokens: 85 });
});

test('a review whose worker was stopped is charged once, and made anew', async () => {
  const { handle, agent, paths } = await launchReviewed();
  await ralph.stopWorkers();
  agent.go();
  await ralph.startWorkers();
  expect(await handle.result()).toMatchObject({ status: 'complete', verification: 'reviewed' });
  expect(await spentOf(paths)).toMatchObject({ costUsd: 4, tokens: 85 });
});
