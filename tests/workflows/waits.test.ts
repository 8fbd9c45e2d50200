import type { WorkflowHandle } from '@temporalio/client';
import { noBudgets } from '../../schemas/budget/budget.ts';
import { readOutcome } from '../../workspaces/records/attempts.ts';
import { readAttempts } from '../../workspaces/records/ledger.ts';
import { readEnding } from '../../workspaces/records/runs.ts';
import { engine } from '../support/engine.ts';
import { launcher } from '../support/launcher.ts';
import { done, goOn } from '../support/scripted-agent.ts';

const ralph = engine('waits');
const launch = launcher(ralph);

/** Milliseconds of every timer that the last workflow of a run set, as Temporal has them. */
async function timersOf(handle: WorkflowHandle): Promise<number[]> {
  const { events } = await handle.fetchHistory();
  return (events ?? []).flatMap(({ timerStartedEventAttributes: timer }) =>
    timer
      ? [Number(timer.startToFireTimeout?.seconds ?? 0) * 1_000 + (timer.startToFireTimeout?.nanos ?? 0) / 1e6]
      : [],
  );
}
const sum = (amounts: readonly number[]): number => amounts.reduce((total, each) => total + each, 0);

test('waits are counted apart from time worked, and end a run before the one that would go beyond its ceiling', async () => {
  // Each fails otherwise than the one before: the same three times over would end the run. Waits double with each.
  const plan = [{ files: { 'a.txt': '1' }, report: goOn('one') }, ...[3, 4, 5, 6].map((exit) => ({ exit }))];
  const { handle, paths } = await launch(plan, {
    limits: { roundAttempts: 10 },
    settings: { continueAfterRounds: 1 },
    checks: { budgets: { ...noBudgets, maxWaitMs: 3_000, maxTimeMs: 600_000 } },
  });
  expect(await handle.result()).toMatchObject({
    status: 'budget-limited',
    budget: 'wait',
    reason: expect.stringMatching(/ of 3s were waited, and .* more would be needed, for agent-crashed/),
    handoff: { summary: 'one' },
  });
  const timers = await timersOf(handle);
  expect(timers).toHaveLength(2);
  const attempts = await readAttempts(paths);
  expect(attempts.map(({ round, attempt }) => `${round}.${attempt}`)).toEqual(['1.1', '2.1', '2.2', '2.3']);
  const outcomes = await Promise.all(attempts.map(({ round, attempt }) => readOutcome(paths, round, attempt)));
  const worked = outcomes.map((each) => (each === null ? 0 : Date.parse(each.endedAt) - Date.parse(each.startedAt)));
  expect((await readEnding(paths))?.state?.spent).toMatchObject({ waitMs: sum(timers), timeMs: sum(worked) });
});

test('waits for a reviewer count as well', async () => {
  const byNumber = 'case "$RALPH_REPORT_FILE" in */review-1/*) exit 3;; *) exit 4;; esac';
  const reviewer = { provider: 'command', command: `cat > /dev/null; ${byNumber}`, model: null } as const;
  const { handle, paths } = await launch([{ files: { 'a.txt': '1' }, report: done('one') }], {
    limits: { roundAttempts: 10 },
    // The first wait is of one second at most, and the second one of one at least.
    checks: { reviewer, budgets: { ...noBudgets, maxWaitMs: 1_400 } },
  });
  expect(await handle.result()).toMatchObject({ status: 'budget-limited', budget: 'wait', rounds: 1 });
  const timers = await timersOf(handle);
  expect(timers).toHaveLength(1);
  expect((await readEnding(paths))?.state?.spent.waitMs).toBe(sum(timers));
});

test('runs that fail alike at the same moment are not attempted again at the same moment', async () => {
  const runs = await Promise.all([1, 2, 3].map(() => launch([{ exit: 3 }, { report: done('well') }])));
  const waits: number[] = [];
  for (const { handle } of runs) {
    expect(await handle.result()).toMatchObject({ status: 'complete' });
    waits.push(...(await timersOf(handle)));
  }
  expect(waits).toHaveLength(3);
  // Of a backoff of one second, down to half of it.
  expect(Math.min(...waits)).toBeGreaterThanOrEqual(500);
  expect(Math.max(...waits)).toBeLessThanOrEqual(1_000);
  expect(new Set(waits).size).toBeGreaterThan(1);
});
