import { areRaised, raiseBudgets } from '../../client/control/raise-budgets.ts';
import { raiseCeilings } from '../../schemas/budget/ceilings.ts';
import { raiseText } from '../../client/describe/raise-words.ts';
import { noBudgets } from '../../schemas/budget/budget.ts';

const now = { maxRounds: 10, budgets: { ...noBudgets, maxCostUsd: 5, maxWaitMs: 60_000 } };
const open = { maxRounds: 256, budgets: noBudgets };
const add = (rounds: number | null, more: Partial<typeof noBudgets> = {}) => ({
  rounds,
  budgets: { ...noBudgets, ...more },
});

test('what is added comes on top of what the run has by now', () => {
  const { raise, unlimited } = raiseBudgets(now, add(20, { maxCostUsd: 2.5 }), open);
  expect(raise).toEqual({ kind: 'raise', maxRounds: 30, budgets: { ...noBudgets, maxCostUsd: 7.5 } });
  expect(unlimited).toEqual([]);
});

test('a budget without a limit is named, and the others are raised', () => {
  const both = raiseBudgets(now, add(null, { maxTokens: 5, maxWaitMs: 1_000 }), open);
  expect(both.unlimited).toEqual(['tokens']);
  expect(both.raise).toMatchObject({ maxRounds: null, budgets: { maxTokens: null, maxWaitMs: 61_000 } });
  expect(raiseBudgets(now, add(null, { maxTokens: 5 }), open)).toEqual({ raise: null, unlimited: ['tokens'] });
});

test('a total above a ceiling of the deployment is refused', () => {
  const ceilings = { maxRounds: 12, budgets: { ...noBudgets, maxCostUsd: 6 } };
  expect(() => raiseBudgets(now, add(3), ceilings)).toThrow(
    /^With --add-rounds the run would have 13 rounds\. .* limit is 12 rounds, and the run has 10 rounds now\. Add at most 2 rounds, or/,
  );
  expect(() => raiseBudgets(now, add(null, { maxCostUsd: 1.5 }), ceilings)).toThrow(
    /^With --add-cost .* \$6\.50\. .* limit is \$6\.00, and the run has \$5\.00 now\. Add at most \$1\.00, or raise "maxCost"/,
  );
  expect(() => raiseBudgets(open, add(5), open)).toThrow(/Nothing can be added, or raise "maxRounds" in config\.json/);
  expect(raiseBudgets(now, add(2, { maxCostUsd: 1 }), ceilings).raise).toMatchObject({ maxRounds: 12 });
});

test('a run is seen to be raised once it has the totals, or more', () => {
  const raise = { kind: 'raise', maxRounds: 12, budgets: { ...noBudgets, maxCostUsd: 6 } } as const;
  expect(areRaised(now, raise)).toBe(false);
  expect(areRaised({ ...now, maxRounds: 12 }, raise)).toBe(false);
  expect(areRaised({ maxRounds: 13, budgets: { ...now.budgets, maxCostUsd: 6 } }, raise)).toBe(true);
});

test('what was told and not heard yet is not lost: what is added comes on top of that, too', () => {
  const first = raiseCeilings(now, raiseBudgets(now, add(1, { maxCostUsd: 5 }), open).raise);
  const { raise } = raiseBudgets(raiseCeilings(now, first), add(1, { maxCostUsd: 5 }), open);
  expect(raise).toMatchObject({ maxRounds: 12, budgets: { maxCostUsd: 15 } });
  const further = { maxRounds: 40, budgets: { ...now.budgets, maxCostUsd: 50 } };
  expect(raiseCeilings(further, first)).toEqual(further);
  expect(raiseText(now, first)).toBe('rounds 10 → 11, cost $5.00 → $10.00');
  expect(raiseText(now, raiseCeilings(now, null))).toBe('');
});
