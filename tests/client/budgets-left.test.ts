import { budgetsLeft, type ChainUse, type NewBudgets } from '../../client/resume/budgets-left.ts';
import { noBudgets, nothingSpent, type Budgets, type Spent } from '../../schemas/budget/budget.ts';

const used = (
  { maxRounds = 10, ...budgets }: Partial<Budgets> & { maxRounds?: number },
  more: Partial<Spent> & { rounds?: number },
): ChainUse => {
  const { rounds = 0, ...spent } = more;
  return {
    runId: 'r',
    ceilings: { maxRounds, budgets: { ...noBudgets, ...budgets } },
    spent: { ...nothingSpent, ...spent },
    rounds,
  };
};

const given = (budgets: Partial<Budgets> = {}, maxRounds: number | null = null): NewBudgets => ({
  maxRounds,
  budgets: { ...noBudgets, ...budgets },
});
const most = { maxRounds: 256, budgets: noBudgets };

test('what is left is the limit less what was used; a budget without a limit keeps none', () => {
  const had = { maxTimeMs: 60_000, maxTokens: 1_000, maxCostUsd: 2 };
  const spent = { timeMs: 12_500.5, tokens: 400, costUsd: 0.5, waitMs: 99, rounds: 4 };
  expect(budgetsLeft(used(had, spent), given(), most)).toEqual({
    maxRounds: 6,
    budgets: { maxTimeMs: 47_499, maxTokens: 600, maxCostUsd: 1.5, maxWaitMs: null },
  });
});

test.each([
  [{ maxTimeMs: 1_000 }, { timeMs: 1_000 }, /time budget of run "r".*1s of 1s.*--max-time/],
  [{ maxTokens: 1_000 }, { tokens: 1_200 }, /tokens.*--max-tokens/],
  [{ maxCostUsd: 2 }, { costUsd: 2 }, /cost.*--max-cost/],
  [{ maxWaitMs: 5_000 }, { waitMs: 5_000 }, /wait.*5s of 5s of waiting are used.*--max-wait/],
  [
    { maxTokens: 1_000 },
    { tokens: 800, recent: [{ timeMs: 0, tokens: 300, costUsd: 0 }] },
    /a round takes about 300 tokens.*--max-tokens/,
  ],
])(
  'a budget %j of which %j is used leaves nothing, and the error names the option for a new one',
  (budgets, spent, text) => {
    const ended = used(budgets, { ...spent, rounds: 1 });
    expect(() => budgetsLeft(ended, given(), most)).toThrow(text);
    expect(budgetsLeft(ended, given({ ...budgets }), most).budgets).toMatchObject(budgets);
  },
);

test('rounds that are used up are given anew, up to the ceiling of the deployment, like every budget', () => {
  const ended = used({ maxRounds: 3 }, { rounds: 3 });
  expect(() => budgetsLeft(ended, given(), most)).toThrow(/3 of 3 rounds are used.*--max-rounds/);
  expect(budgetsLeft(ended, given({}, 5), most).maxRounds).toBe(5);
  expect(() => budgetsLeft(ended, given({}, 257), most)).toThrow(/limit of 256/);
  const low = { maxRounds: 256, budgets: { ...noBudgets, maxTokens: 100 } };
  expect(() => budgetsLeft(ended, given({ maxTokens: 101 }, 5), low)).toThrow(/limit of 100 tokens/);
  expect(budgetsLeft(ended, given({}, 5), low).budgets.maxTokens).toBe(100);
});

test('a new budget below what a round takes is rejected, because no round would begin', () => {
  const recent = [{ timeMs: 1_000, tokens: 100, costUsd: 1 }];
  const ended = used({}, { costUsd: 5, recent, rounds: 1 });
  expect(() => budgetsLeft(ended, given({ maxCostUsd: 0.5 }), most)).toThrow(
    /\$0\.00 of \$0\.50 are used, and a round takes about \$1\.00.*--max-cost/,
  );
  expect(budgetsLeft(ended, given({ maxCostUsd: 1 }), most).budgets.maxCostUsd).toBe(1);
});
