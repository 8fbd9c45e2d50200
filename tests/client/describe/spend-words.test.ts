import { budgetLines, usedText, type Used } from '../../../client/describe/spend-words.ts';
import type { Spend } from '../../../client/view/run-view.ts';
import { noBudgets } from '../../../schemas/budget/budget.ts';
import { known } from '../../support/description.ts';

const spend = {
  kind: 'known',
  rounds: 3,
  timeMs: known(3_720_000),
  tokens: known(1_234_000),
  costUsd: known(3.2),
  waitMs: 720_000,
  cacheReadTokens: 0,
} as const satisfies Spend;
const budgets = { maxTimeMs: 28_800_000, maxTokens: 5_000_000, maxCostUsd: null, maxWaitMs: 5_400_000 };
const lines = (more: Partial<Used>) =>
  budgetLines({ spend, ceilings: { maxRounds: 40, budgets }, rolledBack: 0, ...more });

test('every budget shows what is used of it and its limit, or that it has none', () => {
  expect(lines({}).rows).toEqual([
    ['Rounds', '3 of 40'],
    ['Time', '1h 2m of 8h'],
    ['Tokens', '1.2M of 5,000,000 tokens'],
    ['Cost', '$3.20, no limit'],
    ['Waited', '12m of 1h 30m'],
  ]);
});

test('only an amount that is an estimate is marked as one, and what some attempts did not report is a least', () => {
  const costUsd = { ...known(3.2), estimated: true, unreported: 2 };
  const { rows, notes } = lines({ spend: { ...spend, costUsd } });
  expect(rows.map(([, text]) => text).slice(1, 4)).toEqual([
    '1h 2m of 8h',
    '1.2M of 5,000,000 tokens',
    'at least ≈$3.20, no limit',
  ]);
  expect(notes).toEqual([
    expect.stringMatching(/^≈ marks an amount that is partly estimated: from the price table, or /),
    '2 attempts or reviews reported no cost. They are not included in the totals.',
  ]);
});

test('what nobody reported is unknown, never 0, and a reported 0 is 0', () => {
  const silent = { ...spend, tokens: { kind: 'unknown' }, costUsd: { kind: 'unknown' } } as const;
  expect(lines({ spend: silent }).rows).toEqual(
    expect.arrayContaining([
      ['Tokens', 'unknown of 5,000,000 tokens'],
      ['Cost', 'unknown, no limit'],
    ]),
  );
  expect(usedText(silent)).toBe('1h 2m of work, tokens unknown, cost unknown, 12m of waiting');
  expect(usedText({ ...spend, tokens: known(0), costUsd: known(0) })).toMatch(/ 0 tokens, cost \$0\.00/);
  expect(lines({ spend: { kind: 'unknown' }, ceilings: null }).rows[1]).toEqual(['Time', 'unknown, limit unknown']);
  expect(lines({ ceilings: { maxRounds: 1, budgets: noBudgets } }).rows[4]).toEqual(['Waited', '12m, no limit']);
});
