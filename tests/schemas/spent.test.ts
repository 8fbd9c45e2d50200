import { nothingSpent, Spent } from '../../schemas/budget/budget.ts';
import { addSpent } from '../../schemas/budget/spend.ts';
import { parseRecord } from '../../schemas/text/parse-record.ts';

const { estimates: _estimates, unreported: _unreported, ...old } = nothingSpent;

test('what 0.1.0 marked as an estimate is one in every sum, as it did not say in which', () => {
  const untold = { tokens: 2, costUsd: 1 };
  expect(parseRecord(Spent, { ...old, estimated: true, estimates: null, untold })).toEqual({
    ...nothingSpent,
    estimates: { timeMs: true, tokens: true, costUsd: true },
    unreported: untold,
  });
  const estimates = { timeMs: false, tokens: true, costUsd: false };
  expect(parseRecord(Spent, { ...old, estimated: true, estimates, untold })).toMatchObject({ estimates });
  expect(parseRecord(Spent, nothingSpent)).toEqual(nothingSpent);
});

test('the sum of two runs keeps the estimates and the unreported amounts of both', () => {
  const one: Spent = { ...nothingSpent, tokens: 5, waitMs: 1, unreported: { tokens: 1, costUsd: 0 } };
  const other: Spent = {
    ...nothingSpent,
    tokens: 7,
    waitMs: 2,
    estimates: { timeMs: false, tokens: true, costUsd: false },
    unreported: { tokens: 2, costUsd: 3 },
  };
  expect(addSpent(one, other)).toMatchObject({
    tokens: 12,
    waitMs: 3,
    estimates: { timeMs: false, tokens: true, costUsd: false },
    unreported: { tokens: 3, costUsd: 3 },
  });
});
