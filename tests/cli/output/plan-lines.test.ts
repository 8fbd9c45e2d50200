import { budgetsText } from '../../../cli/pages/plan-lines.ts';
import { noBudgets } from '../../../schemas/budget/budget.ts';

const text = (maxTimeMs: number): string | null => budgetsText({ ...noBudgets, maxTimeMs });

test('a budget is told as it was given, and what an earlier run left of one to what matters', () => {
  expect(text(28_800_000)).toBe('8h of work');
  expect(text(5_400_000)).toBe('1h 30m of work');
  expect(text(2_284_242)).toBe('38m 4s of work');
  expect(budgetsText({ ...noBudgets, maxTokens: 1, maxWaitMs: 120_000 })).toBe('1 token, 2m of waiting');
});
