import { palette } from '../../../cli/terminal/palette.ts';
import { runBegin } from '../../../cli/pages/run-begin.ts';
import { noBudgets } from '../../../schemas/budget/budget.ts';
import { wholeRequest } from '../../support/plain-request.ts';

const begin = (maxRounds: number): string =>
  runBegin(wholeRequest({ limits: { maxRounds } }), palette(false)).join('\n');

test('one round is one round', () => {
  expect(begin(1)).toMatch(/^Budget +at most 1 round$/m);
  expect(begin(12)).toMatch(/^Budget +at most 12 rounds$/m);
});

const budget = (more: Partial<typeof noBudgets>): string =>
  runBegin(wholeRequest({ budgets: { ...noBudgets, ...more } }), palette(false)).join('\n');

test('a budget is told as it was given, and what an earlier run left of one to what matters', () => {
  expect(budget({ maxTimeMs: 28_800_000 })).toContain('256 rounds, 8h of work');
  expect(budget({ maxTimeMs: 5_400_000 })).toContain('1h 30m of work');
  expect(budget({ maxTimeMs: 2_284_242 })).toContain('38m 4s of work');
  expect(budget({ maxTokens: 1, maxWaitMs: 120_000 })).toContain('1 token, 2m of waiting');
});
