import { liveState } from '../../client/view/temporal-run.ts';
import { noBudgets, nothingSpent } from '../../schemas/budget/budget.ts';
import { noControls } from '../../schemas/loop/control.ts';
import type { Counters, RunMemo } from '../../schemas/loop/memo.ts';
import { AT } from '../support/records.ts';

const memo: RunMemo = {
  status: 'running',
  title: 't',
  repository: '/r',
  agent: 'command',
  hostId: 'host00000',
  round: 2,
  maxRounds: 10,
  budgets: { ...noBudgets, maxTokens: 50 },
  spent: { ...nothingSpent, tokens: 10 },
  controls: noControls,
  controlsTaken: 0,
  commit: 'old',
  ref: null,
  until: null,
  why: null,
  receipt: null,
};
const counters: Counters = {
  rounds: 6,
  spent: { ...nothingSpent, tokens: 40 },
  ceilings: { maxRounds: 8, budgets: { ...noBudgets, maxTokens: 60, maxCostUsd: 1 } },
  commit: 'new',
  ref: 'refs/new',
};
const progress = (more: { counters: Counters | null }) => ({
  progress: { round: 7, attempt: 1, phase: 'agent' as const, startedAt: AT, activity: null, tokens: null, ...more },
  check: null,
});

test('a heartbeat is newer than the memo in all that changes with a round', () => {
  expect(liveState(memo, progress({ counters }))).toMatchObject({
    status: 'running',
    round: 7,
    spent: { tokens: 40 },
    commit: 'new',
    ref: 'refs/new',
  });
});

test('limits that were raised during the round are newer in the memo, and those raised before it in the heartbeat', () => {
  const live = liveState(memo, progress({ counters }));
  expect(live).toMatchObject({ maxRounds: 10, budgets: { maxTokens: 60, maxCostUsd: null, maxTimeMs: null } });
});

test('a check tells what is spent, and is of the round that the memo names', () => {
  const check = { what: 'gates' as const, round: 2, check: 1, startedAt: AT, activity: null, tokens: null, counters };
  expect(liveState(memo, { progress: null, check })).toMatchObject({ round: 2, spent: { tokens: 40 }, commit: 'new' });
});

test('without a heartbeat, or with one that does not count, the memo is all there is', () => {
  expect(liveState(memo, { progress: null, check: null })).toEqual(memo);
  expect(liveState(memo, progress({ counters: null }))).toEqual(memo);
});
