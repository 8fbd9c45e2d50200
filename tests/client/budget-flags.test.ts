import { budgetFlags } from '../../client/resume/budget-flags.ts';
import { noBudgets, nothingSpent, type Budgets, type Spent } from '../../schemas/budget/budget.ts';
import type { UnreleasedEnding } from '../../schemas/run/result.ts';

const most = { maxRounds: 256, budgets: noBudgets };

/** What is printed behind `ralph resume RUN` for a run of these limits that used this. */
function flags(
  limits: Partial<Budgets> & { maxRounds?: number },
  { rounds = 0, ending = null, ...spent }: Partial<Spent> & { rounds?: number; ending?: UnreleasedEnding | null },
): string {
  const { maxRounds = 10, ...budgets } = limits;
  const ceilings = { maxRounds, budgets: { ...noBudgets, ...budgets } };
  return budgetFlags(ending, { runId: 'r', ceilings, spent: { ...nothingSpent, ...spent }, rounds }, most);
}

test('what is left needs no flag', () => {
  expect(flags({ maxRounds: 3, maxCostUsd: 2 }, { rounds: 2, costUsd: 0.5 })).toBe('');
});

test('of a budget that is used up as much is offered as there was, or was used, as a number to paste', () => {
  expect(flags({ maxRounds: 8 }, { rounds: 8 })).toBe(' --max-rounds 8');
  expect(flags({ maxRounds: 1 }, { rounds: 1 })).toBe(' --max-rounds 3');
  expect(flags({ maxCostUsd: 1.2 }, { costUsd: 1.24 })).toBe(' --max-cost 1.3');
  expect(flags({ maxCostUsd: 20 }, { costUsd: 19.9, recent: [{ timeMs: 1, tokens: 1, costUsd: 1 }] })).toBe(
    ' --max-cost 20',
  );
  expect(flags({ maxTokens: 1_000_000 }, { tokens: 1_210_000 })).toBe(' --max-tokens 1.3M');
  expect(flags({ maxTokens: 48_000 }, { tokens: 48_211 })).toBe(' --max-tokens 49k');
  const recent = [{ timeMs: 1, tokens: 1, costUsd: 1.1 }];
  expect(flags({ maxCostUsd: 1.2 }, { costUsd: 1.1, recent })).toBe(' --max-cost 2.2');
  expect(flags({ maxTimeMs: 12_000 }, { timeMs: 13_000 })).toBe(' --max-time 1m');
  expect(flags({ maxTimeMs: 28_800_000 }, { timeMs: 28_800_000 })).toBe(' --max-time 8h');
});

test('every budget that is used up gets its flag, also one whose wait would be too long', () => {
  expect(flags({ maxRounds: 4, maxCostUsd: 3 }, { rounds: 4, costUsd: 3 })).toBe(' --max-rounds 4 --max-cost 3');
  const ending = { status: 'budget-limited', rounds: 1, commit: 'c', ref: null, reason: '', handoff: null } as const;
  expect(flags({ maxWaitMs: 3_600_000 }, { waitMs: 60_000, ending: { ...ending, budget: 'wait' } })).toBe(
    ' --max-wait 2h',
  );
});
