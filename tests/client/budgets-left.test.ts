import { budgetsLeft, type NewBudgets } from '../../client/resume/budgets-left.ts';
import { roundsUsed, spentBy } from '../../client/view/spent-by.ts';
import { noBudgets, nothingSpent, type Budgets, type Spent } from '../../schemas/budget/budget.ts';
import type { LedgerLine } from '../../schemas/run/ledger.ts';
import type { RunEnding } from '../../schemas/run/result.ts';
import type { RunRequest } from '../../schemas/run/run.ts';
import { wholeRequest } from '../support/plain-request.ts';

const AT = Date.UTC(2026, 0, 5, 9);
const at = (seconds: number): string => new Date(AT + seconds * 1_000).toISOString();

const request = (budgets: Partial<Budgets>, maxRounds = 10): RunRequest =>
  wholeRequest({ budgets: { ...noBudgets, ...budgets }, limits: { maxRounds } });

const spent = (more: Partial<Spent>): Spent => ({ ...nothingSpent, ...more });
const given = (budgets: Partial<Budgets> = {}, maxRounds: number | null = null): NewBudgets => ({
  maxRounds,
  budgets: { ...noBudgets, ...budgets },
});
const most = { maxRounds: 256, budgets: noBudgets };

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
  startedAt: at(round * 100),
  endedAt: at(round * 100 + 30),
  path: '',
  ...more,
});
const ending = (what: RunEnding['ending'], used: Partial<Spent> = {}): RunEnding => ({
  ending: what,
  receipt: null,
  notes: [],
  spent: spent(used),
  ceilings: null,
  endedAt: at(900),
});
const cancelled = { status: 'cancelled', reason: null } as const;

test('what is left is the limit less what was used; what had no limit has none', () => {
  const ended = {
    request: request({ maxTimeMs: 60_000, maxTokens: 1_000, maxCostUsd: 2 }),
    ceilings: null,
    spent: spent({ timeMs: 12_500.5, tokens: 400, costUsd: 0.5, waitMs: 99 }),
    rounds: 4,
  };
  expect(budgetsLeft(ended, given(), most)).toEqual({
    maxRounds: 6,
    budgets: { maxTimeMs: 47_499, maxTokens: 600, maxCostUsd: 1.5, maxWaitMs: null },
  });
});

test('budgets that somebody raised are the ones that count', () => {
  const ceilings = { maxRounds: 20, budgets: { ...noBudgets, maxTokens: 5_000 } };
  const ended = { request: request({ maxTokens: 1_000 }), ceilings, spent: spent({ tokens: 1_000 }), rounds: 10 };
  expect(budgetsLeft(ended, given(), most)).toMatchObject({ maxRounds: 10, budgets: { maxTokens: 4_000 } });
});

test.each([
  [{ maxTimeMs: 1_000 }, { timeMs: 1_000 }, /time of run "r" nothing is left.*1s of 1s.*--max-time/],
  [{ maxTokens: 1_000 }, { tokens: 1_200 }, /tokens.*--max-tokens/],
  [{ maxCostUsd: 2 }, { costUsd: 2 }, /cost.*--max-cost/],
  [{ maxWaitMs: 5_000 }, { waitMs: 5_000 }, /wait.*5s of 5s were waited.*--max-wait/],
  [
    { maxTokens: 1_000 },
    { tokens: 800, recent: [{ timeMs: 0, tokens: 300, costUsd: 0 }] },
    /a round takes about 300 tokens.*--max-tokens/,
  ],
])(
  'a budget %j of which %j is used leaves nothing, and the flag that gives a new one is named',
  (budgets, used, text) => {
    const ended = { request: request(budgets), ceilings: null, spent: spent(used), rounds: 1 };
    expect(() => budgetsLeft(ended, given(), most)).toThrow(text);
    expect(budgetsLeft(ended, given({ ...budgets }), most).budgets).toMatchObject(budgets);
  },
);

test('rounds that are used up are given anew, up to the ceiling of the deployment, as everything is', () => {
  const ended = { request: request({}, 3), ceilings: null, spent: nothingSpent, rounds: 3 };
  expect(() => budgetsLeft(ended, given(), most)).toThrow(/3 of 3 rounds are used.*--max-rounds/);
  expect(budgetsLeft(ended, given({}, 5), most).maxRounds).toBe(5);
  expect(() => budgetsLeft(ended, given({}, 257), most)).toThrow(/limit of 256/);
  const low = { maxRounds: 256, budgets: { ...noBudgets, maxTokens: 100 } };
  expect(() => budgetsLeft(ended, given({ maxTokens: 101 }, 5), low)).toThrow(/limit of 100 tokens/);
  expect(budgetsLeft(ended, given({}, 5), low).budgets.maxTokens).toBe(100);
});

test('what the end of a run says it used is all of it: what a cancel ended is in it already', () => {
  const run = {
    ending: ending(cancelled, { timeMs: 5_000, tokens: 120, costUsd: 1.2 }),
    attempts: [line(1, 'continue'), line(2, 'cancelled')],
    rolledBack: [],
  };
  expect(spentBy(run)).toMatchObject({ timeMs: 5_000, tokens: 120, costUsd: 1.2 });
  expect(roundsUsed(run)).toBe(1);
});

test('of a run that was terminated the ledger tells all', () => {
  const run = { ending: null, attempts: [line(1, 'continue'), line(2, 'disowned', { usage: null })], rolledBack: [] };
  expect(spentBy(run)).toMatchObject({ timeMs: 60_000, tokens: 200, costUsd: 1, estimated: true });
  expect(spentBy(run).recent).toHaveLength(2);
  expect(roundsUsed(run)).toBe(1);
});

test('rounds that were rolled back stay used, and so does one that ran out of time with its work done', () => {
  const attempts = [line(1, 'continue'), line(2, 'round-timeout')];
  expect(roundsUsed({ ending: ending(cancelled), attempts: [...attempts, line(3, 'continue')], rolledBack: [] })).toBe(
    3,
  );
  const back = { ending: null, attempts: [line(1, 'continue')], rolledBack: [line(2, 'blocked', { status: 'void' })] };
  expect(roundsUsed(back)).toBe(2);
  expect(spentBy(back).timeMs).toBe(60_000);
  expect(roundsUsed({ ending: null, attempts: [], rolledBack: [] })).toBe(0);
});

test('a new budget below what a round takes is refused: it would begin none', () => {
  const recent = [{ timeMs: 1_000, tokens: 100, costUsd: 1 }];
  const ended = { request: request({}), ceilings: null, spent: spent({ costUsd: 5, recent }), rounds: 1 };
  expect(() => budgetsLeft(ended, given({ maxCostUsd: 0.5 }), most)).toThrow(
    /\$0\.00 of \$0\.50 are used, and a round takes about \$1\.00.*--max-cost/,
  );
  expect(budgetsLeft(ended, given({ maxCostUsd: 1 }), most).budgets.maxCostUsd).toBe(1);
});
