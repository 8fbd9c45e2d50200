import { mkdirSync, writeFileSync } from 'node:fs';
import { readRun } from '../../../client/view/question.ts';
import { diskFiles } from '../../../client/view/run-files.ts';
import { runRecords } from '../../../client/view/run-records.ts';
import { spendOf } from '../../../client/view/run-spend.ts';
import type { Spend } from '../../../client/view/run-view.ts';
import { nothingSpent, type Spent } from '../../../schemas/budget/budget.ts';
import type { LedgerLine } from '../../../schemas/run/ledger.ts';
import { runPaths } from '../../../workspaces/records/run-paths.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const home = tempFolder('run-spend');
const AT = Date.UTC(2026, 0, 5, 9);
const at = (seconds: number): string => new Date(AT + seconds * 1_000).toISOString();

const line = (round: number, outcome: string, more: Partial<LedgerLine> = {}): LedgerLine => ({
  round,
  attempt: 1,
  status: 'valid',
  outcome,
  summary: '',
  commit: null,
  changes: null,
  secrets: [],
  usage: { inputTokens: 70, outputTokens: 20, cacheWriteTokens: 10, cacheReadTokens: 9 },
  costUsd: 0.5,
  costEstimated: false,
  agent: null,
  agentMs: null,
  startedAt: at(round * 100),
  endedAt: at(round * 100 + 30),
  path: '',
  ...more,
});
const cancelled = { status: 'cancelled', reason: null } as const;

let runs = 0;
/** What a run used whose files these are. `spent`: as 0.1.0 wrote it down at the end; null: the run was terminated. */
async function used(lines: readonly LedgerLine[], spent: Partial<Spent> | null): Promise<Spend> {
  runs += 1;
  const runId = `r-${runs}`;
  const paths = runPaths(home, runId);
  mkdirSync(paths.root, { recursive: true });
  writeFileSync(paths.index, lines.map((each) => `${JSON.stringify(each)}\n`).join(''));
  const ending = { ending: cancelled, receipt: null, spent: { ...nothingSpent, ...spent }, endedAt: at(900) };
  if (spent !== null) writeFileSync(paths.ending, JSON.stringify(ending));
  return spendOf(await readRun(runRecords(diskFiles(home, runId))), null);
}
const exactly = (amount: number) => ({ kind: 'known', amount, estimated: false, unreported: 0 });

test('what the end of a run says it used is all of it: what a cancel ended is in it already', async () => {
  const lines = [line(1, 'continue'), line(2, 'cancelled')];
  expect(await used(lines, { timeMs: 5_000, tokens: 120, costUsd: 1.2 })).toMatchObject({
    rounds: 1,
    timeMs: exactly(5_000),
    tokens: exactly(120),
    costUsd: exactly(1.2),
  });
});

test('of a run that was terminated the ledger tells all, and only what it lacks is an estimate', async () => {
  expect(await used([line(1, 'continue'), line(2, 'disowned', { usage: null })], null)).toMatchObject({
    rounds: 1,
    timeMs: exactly(60_000),
    tokens: { ...exactly(200), estimated: true },
    costUsd: exactly(1),
  });
});

test('rounds that were rolled back stay used, and so does one that ran out of time with its work done', async () => {
  expect(await used([line(1, 'continue'), line(2, 'round-timeout'), line(3, 'continue')], {})).toMatchObject({
    rounds: 3,
  });
  const back = [line(1, 'continue'), line(2, 'blocked', { status: 'void' })];
  expect(await used(back, null)).toMatchObject({ rounds: 2, timeMs: exactly(60_000) });
  expect(await used([], null)).toMatchObject({ rounds: 0 });
});

test('a reported 0 is 0, and what nobody reported is unknown', async () => {
  const zero = { usage: { inputTokens: 0, outputTokens: 0, cacheWriteTokens: 0, cacheReadTokens: 0 }, costUsd: 0 };
  expect(await used([line(1, 'continue', zero)], { timeMs: 9 })).toMatchObject({
    tokens: exactly(0),
    costUsd: exactly(0),
  });
  const silent = { usage: null, costUsd: null };
  expect(await used([line(1, 'continue', silent)], { timeMs: 9, unreported: { tokens: 1, costUsd: 1 } })).toMatchObject(
    {
      tokens: { kind: 'unknown' },
      costUsd: { kind: 'unknown' },
    },
  );
  expect(await used([line(1, 'continue', silent)], null)).toMatchObject({ tokens: { kind: 'unknown' } });
});
