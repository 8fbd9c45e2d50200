import { writeFileSync } from 'node:fs';
import { ApplicationFailure, WorkflowFailedError, type WorkflowHandle } from '@temporalio/client';
import { ownPricesFile } from '../../agents/usage/read-prices.ts';
import { noBudgets, type Budgets } from '../../schemas/budget/budget.ts';
import { readOutcome } from '../../workspaces/records/attempts.ts';
import { readEnding } from '../../workspaces/records/runs.ts';
import { recordOf } from '../support/checked-launcher.ts';
import { engine } from '../support/engine.ts';
import { launcher } from '../support/launcher.ts';
import { done, goOn, type Step } from '../support/scripted-agent.ts';
import { waitFor } from '../support/wait-for.ts';

const ralph = engine('budgets');
const launch = launcher(ralph);

const held = (budgets: Partial<Budgets>) => ({ checks: { budgets: { ...noBudgets, ...budgets } } });
const use = (inputTokens: number, costUsd?: number) => ({ inputTokens, outputTokens: 0, costUsd });
/** A round that changes something, tells what it used, and goes on. */
const round = (n: number, more: Step = {}): Step => ({ files: { 'n.txt': String(n) }, report: goOn(`${n}`), ...more });

const msOf = (work: { startedAt: string; endedAt: string } | null): number =>
  work === null ? 0 : Date.parse(work.endedAt) - Date.parse(work.startedAt);

async function faultOf(handle: WorkflowHandle): Promise<string> {
  const error = await handle.result().catch((reason: unknown) => reason);
  if (!(error instanceof WorkflowFailedError) || !(error.cause instanceof ApplicationFailure)) throw error;
  return String(error.cause.type);
}

test.each([
  ['tokens', { maxTokens: 1_000 }, { use: use(300, 1) }],
  ['cost', { maxCostUsd: 10 }, { use: use(300, 3) }],
])(
  'a budget of %s ends the run before the round that it cannot expect to afford, over continue-as-new',
  async (budget, budgets, step) => {
    const plan = [1, 2, 3, 4, 5, 6].map((n) => round(n, step));
    const { handle, paths, agent } = await launch(plan, { ...held(budgets), settings: { continueAfterRounds: 1 } });
    expect(await handle.result()).toMatchObject({
      status: 'budget-limited',
      budget,
      rounds: 3,
      reason: expect.stringMatching(/are used, and a round takes about/),
      handoff: { summary: '3' },
    });
    expect(agent.starts()).toHaveLength(3);
    expect((await readEnding(paths))?.state).toMatchObject({
      spent: { tokens: 900, costUsd: budget === 'cost' ? 9 : 3 },
    });
  },
);

test('a budget of time ends the run within one round of it', async () => {
  const plan = [1, 2, 3, 4, 5, 6, 7, 8].map((n) => round(n, { sleep: 1 }));
  const { handle, paths } = await launch(plan, held({ maxTimeMs: 5_000 }));
  const result = await handle.result();
  expect(result).toMatchObject({ status: 'budget-limited', budget: 'time' });
  expect(result.rounds).toBeGreaterThan(0);
  const ending = await readEnding(paths);
  const each = Math.max(...(ending?.state?.spent.recent.map(({ timeMs }) => timeMs) ?? []));
  expect(ending?.state?.spent.timeMs).toBeLessThan(5_000 + each);
});

test('the time of gates is time worked, of those before round 1 as well', async () => {
  const { handle, paths } = await launch([round(1, { report: done('1') })], {
    checks: { gates: [{ command: 'sleep 0.5', timeoutMs: 20_000 }] },
  });
  expect(await handle.result()).toMatchObject({ status: 'complete', verification: 'gates-passed' });
  const worked = [await readOutcome(paths, 1, 1), recordOf(paths, 0), recordOf(paths, 1)].map(msOf);
  expect(Math.min(...worked.slice(1))).toBeGreaterThanOrEqual(500);
  expect((await readEnding(paths))?.state?.spent.timeMs).toBe(worked.reduce((a, b) => a + b));
});

test('the last of the time ends a round that is under way, and its work is kept', async () => {
  const { handle, paths, repository, runId } = await launch(
    [{ files: { 'half.txt': 'half' }, sleep: 60 }],
    held({ maxTimeMs: 3_000 }),
  );
  expect(await handle.result()).toMatchObject({
    status: 'budget-limited',
    budget: 'time',
    rounds: 0,
    reason: expect.stringMatching(/time budget is used up: this attempt used 3s/),
  });
  expect(await readOutcome(paths, 1, 1)).toMatchObject({
    kind: 'failed',
    fault: { code: 'budget-spent' },
    receipt: { cause: 'budget-spent', proof: 'namespace-gone' },
  });
  expect(repository.git('show', `ralph/${runId}:half.txt`)).toBe('half');
});

test('a usage file that tells that the tokens are used up ends its round, and its work is kept', async () => {
  const plan = [round(1, { use: use(400) }), { use: use(700), files: { 'half.txt': 'half' }, sleep: 60 }];
  const { handle, paths, repository, runId } = await launch(plan, held({ maxTokens: 1_000 }));
  expect(await handle.result()).toMatchObject({
    status: 'budget-limited',
    budget: 'tokens',
    rounds: 1,
    reason: expect.stringMatching(/tokens budget is used up: this attempt used 700 tokens, and 600 tokens was left/),
    handoff: { summary: '1' },
  });
  expect(await readOutcome(paths, 2, 1)).toMatchObject({
    fault: { code: 'budget-spent' },
    receipt: { cause: 'budget-spent', proof: 'namespace-gone' },
    usage: { inputTokens: 700 },
  });
  expect((await readEnding(paths))?.state).toMatchObject({ spent: { tokens: 1_100 } });
  expect(repository.git('show', `ralph/${runId}:half.txt`)).toBe('half');
});

test('a cost that a price of your own estimates holds a budget, and is marked as an estimate', async () => {
  const price = { input: 1_000, output: 1_000, cacheWrite: 1_000, cacheRead: 100 };
  writeFileSync(ownPricesFile(ralph.paths('any').ralphHome), JSON.stringify({ models: { mine: price } }));
  const told = { ...use(1_500), model: 'mine' };
  const { handle, paths } = await launch([round(1, { use: told }), round(2, { use: told })], held({ maxCostUsd: 2 }));
  expect(await handle.result()).toMatchObject({ status: 'budget-limited', budget: 'cost', rounds: 1 });
  expect(await readOutcome(paths, 1, 1)).toMatchObject({ costUsd: 1.5, costEstimated: true, agent: 'command' });
  expect((await readEnding(paths))?.state).toMatchObject({ spent: { costUsd: 1.5, estimated: true } });
});

test('a completion that was handed in before the budget was used up counts', async () => {
  const { handle } = await launch([{ report: done('d'), use: use(5_000), exit: 0 }], held({ maxTokens: 1_000 }));
  expect(await handle.result()).toMatchObject({ status: 'complete', rounds: 1 });
});

test.each([
  ['tokens', { maxTokens: 1_000 }, {}],
  ['cost', { maxCostUsd: 10 }, { use: use(300) }],
])('an agent that tells no %s ends a run that has a budget of it', async (_what, budgets, step) => {
  const { handle } = await launch([round(1, step)], held(budgets));
  expect(await faultOf(handle)).toBe('usage-unknown');
});

const told = [100, 300, 200].map((tokens, i) => round(i + 1, { use: use(tokens) }));

test('an attempt that crashed before it told what it used is charged the median round, as an estimate', async () => {
  const plan = [...told, { exit: 1 }, { report: done('d'), use: use(50) }];
  const { handle, paths } = await launch(plan, held({ maxTokens: 10_000 }));
  expect(await handle.result()).toMatchObject({ status: 'complete', rounds: 4 });
  expect((await readEnding(paths))?.state).toMatchObject({
    spent: { tokens: 600 + 200 + 50, estimated: true, unreported: { tokens: 0 } },
  });
});

test('an attempt whose worker went away is charged the median round, as an estimate', async () => {
  const plan = [...told, { sleep: 60 }, { report: done('d'), use: use(50) }];
  const { handle, paths, agent } = await launch(plan, held({ maxTokens: 10_000 }));
  await waitFor('the fourth agent', 30_000, () => agent.worked(4));
  await ralph.stopWorkers();
  await ralph.startWorkers();
  expect(await handle.result()).toMatchObject({ status: 'complete', rounds: 4 });
  expect((await readEnding(paths))?.state).toMatchObject({ spent: { tokens: 600 + 200 + 50, estimated: true } });
});
