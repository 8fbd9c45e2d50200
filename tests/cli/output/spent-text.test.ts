import { usePage, type UseOfRun, usedText } from '../../../cli/text/spent-text.ts';
import { noBudgets, nothingSpent } from '../../../schemas/budget/budget.ts';

const spent = { ...nothingSpent, timeMs: 3_720_000, tokens: 1_234_000, costUsd: 3.2, waitMs: 720_000 };
const use: UseOfRun = {
  round: 3,
  maxRounds: 40,
  spent,
  budgets: { maxTimeMs: 28_800_000, maxTokens: 5_000_000, maxCostUsd: null, maxWaitMs: 5_400_000 },
};

test('every budget shows what is used of it and its limit, or that it has none', () => {
  expect(usePage(use)).toEqual([
    'Rounds  3 of 40',
    'Time    1h 2m of 8h',
    'Tokens  1.2M of 5,000,000 tokens',
    'Cost    $3.20, no limit',
    'Waited  12m of 1h 30m',
  ]);
});

test('an estimate is marked, and so is what nobody told', () => {
  const page = usePage({ ...use, spent: { ...spent, estimated: true, untold: { tokens: 0, costUsd: 2 } } });
  expect(page[3]).toBe('Cost    at least ≈$3.20, no limit');
  expect(page.slice(5)).toEqual([
    expect.stringMatching(/^≈: in part an estimate: by the price table, or .* cut short/),
    'Of its attempts and reviews 2 told no cost: that is in no sum.',
  ]);
});

test('what nobody told at all is unknown, never 0', () => {
  const untold = { ...spent, tokens: 0, costUsd: 0, untold: { tokens: 3, costUsd: 3 } };
  expect(usePage({ ...use, spent: untold })).toEqual(
    expect.arrayContaining(['Tokens  unknown of 5,000,000 tokens', 'Cost    unknown, no limit']),
  );
  expect(usePage({ ...use, spent: null, budgets: null })[1]).toBe('Time    unknown, unknown');
  expect(usePage({ ...use, budgets: noBudgets })[4]).toBe('Waited  12m, no limit');
});

test('while the first round goes on its tokens and cost are unknown, also once gates before it took time', () => {
  for (const timeMs of [0, 324]) {
    expect(usedText({ spent: { ...nothingSpent, timeMs } })).toMatch(/unknown tokens, cost unknown$/);
  }
});
