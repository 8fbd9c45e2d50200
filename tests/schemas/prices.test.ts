import { costAt, priceOf, type PriceTable } from '../../schemas/budget/prices.ts';

const price = { input: 2, output: 10, cacheWrite: 2.5, cacheRead: 0.2 };
const table: PriceTable = {
  asOf: '2026-11-01',
  source: 'a test',
  models: { 'm-5': price, 'm-5-20260101': { ...price, input: 9 } },
};

test.each([
  ['m-5', 2],
  ['m-5-20260101', 9],
  ['m-5-20261224', 2],
  ['m-5-2026-12-24', 2],
  ['m-5[1m]', 2],
])('the price of %s is known', (model, input) => {
  expect(priceOf(model, table)?.input).toBe(input);
});

test.each(['m', 'm-51', 'm-5-mini', 'x/m-5', 'constructor', ''])('that of "%s" is not', (model) => {
  expect(priceOf(model, table)).toBeNull();
});

test('each kind of token has its own price', () => {
  const usage = { inputTokens: 1_000_000, outputTokens: 100_000, cacheWriteTokens: 10_000, cacheReadTokens: 1_000 };
  expect(costAt(price, usage)).toBeCloseTo(2 + 1 + 0.025 + 0.0002, 10);
});
