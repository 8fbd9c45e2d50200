import { allowanceOf, noBudgets, nothingSpent, type Spent, type Use } from '../../../schemas/budget/budget.ts';
import type { FaultCode } from '../../../schemas/round/fault.ts';
import type { FinishedAttempt, LostAttempt } from '../../../schemas/round/round.ts';
import { budgetReached, unaffordable, waitTooLong } from '../../../workflows/decide/budgets.ts';
import { chargeAgent, chargeLost, chargeWait, endRound } from '../../../schemas/budget/spend.ts';
import { plainReceipt } from '../../support/records.ts';

const use = (timeMs: number, tokens: number, costUsd: number): Use => ({ timeMs, tokens, costUsd });
const spent = (used: Use, recent: Use[] = []): Spent => ({ ...nothingSpent, ...used, recent });

const attempt = (told: Partial<Pick<FinishedAttempt, 'usage' | 'costUsd' | 'costEstimated' | 'agentMs'>>) =>
  ({
    kind: 'reported',
    round: 1,
    attempt: 1,
    startedAt: '2026-01-01T00:00:00.000Z',
    endedAt: '2026-01-01T00:01:00.000Z',
    agentMs: 50_000,
    usage: { inputTokens: 100, outputTokens: 20, cacheWriteTokens: 3, cacheReadTokens: 9_000 },
    costUsd: 0.5,
    costEstimated: false,
    agent: null,
    agentVersion: null,
    sandbox: { level: 'workspace-write', network: true, readable: [], mechanism: 'bubblewrap' },
    checkpoint: null,
    receipt: plainReceipt(),
    report: { status: 'continue', summary: 's', evidence: [], nextSteps: ['n'], blocker: '' },
    finalText: null,
    ...told,
  }) satisfies FinishedAttempt;

const lost = (told: Partial<LostAttempt>): LostAttempt => ({
  attempt: 1,
  by: 'worker-lost',
  agentMs: null,
  usage: null,
  costUsd: null,
  costEstimated: false,
  commit: null,
  ref: null,
  changed: false,
  ...told,
});

describe('what a run uses', () => {
  test('tokens are input, output and cache writes; cache reads are kept apart', () => {
    expect(chargeAgent(nothingSpent, attempt({}))).toMatchObject({
      timeMs: 60_000,
      tokens: 123,
      costUsd: 0.5,
      cacheReadTokens: 9_000,
      estimated: false,
      unreported: { tokens: 0, costUsd: 0 },
    });
  });

  test('an attempt that tells nothing is counted as unreported, never as nothing', () => {
    expect(chargeAgent(nothingSpent, attempt({ usage: null, costUsd: null })).unreported).toEqual({
      tokens: 1,
      costUsd: 1,
    });
    const neverStarted = attempt({ usage: null, costUsd: null, agentMs: 0 });
    expect(chargeAgent(nothingSpent, neverStarted).unreported).toEqual({ tokens: 0, costUsd: 0 });
  });

  test('an attempt that its model did not answer is not charged a round for the moment it took', () => {
    const before = spent(use(0, 0, 0), [use(60_000, 1_000, 10)]);
    const { report: _report, finalText: _finalText, ...rest } = attempt({ usage: null, costUsd: null, agentMs: 600 });
    const limited = (code: FaultCode, agentMs = 600): FinishedAttempt => ({
      ...rest,
      agentMs,
      kind: 'failed',
      fault: { code, message: 'm', resetAt: null },
    });
    expect(chargeAgent(before, limited('usage-limited'))).toMatchObject({ tokens: 10, costUsd: 0.1, estimated: true });
    expect(chargeAgent(before, limited('usage-limited', 90_000))).toMatchObject({ tokens: 1_000, costUsd: 10 });
    expect(chargeAgent(before, limited('agent-crashed'))).toMatchObject({ tokens: 1_000, costUsd: 10 });
  });

  test('a cost from the price table marks the sum as an estimate', () => {
    expect(chargeAgent(nothingSpent, attempt({ costEstimated: true })).estimated).toBe(true);
  });

  test('an attempt that was ended before it told is charged the median of the last rounds, as an estimate', () => {
    const { report: _report, finalText: _finalText, ...rest } = attempt({ usage: null, costUsd: null });
    const fault = { code: 'round-timeout', message: 'm', resetAt: null } as const;
    const killed: FinishedAttempt = { ...rest, kind: 'failed', fault };
    const before = spent(use(0, 0, 0), [use(1, 10, 1), use(9, 90, 9), use(3, 30, 3)]);
    const after = chargeAgent(before, killed);
    expect(after).toMatchObject({ timeMs: 60_000, tokens: 30, costUsd: 3, estimated: true });
    expect(after.unreported).toEqual({ tokens: 0, costUsd: 0 });
    const first = chargeAgent(nothingSpent, killed);
    expect(first).toMatchObject({ tokens: 0, estimated: false, unreported: { tokens: 1, costUsd: 1 } });
  });

  test('a lost attempt is charged what it told, and for the rest the median of the last rounds, as an estimate', () => {
    const before = spent(use(0, 0, 0), [use(1, 10, 1), use(9, 90, 9), use(3, 30, 3)]);
    expect(chargeLost(before, lost({}))).toMatchObject({ timeMs: 3, tokens: 30, costUsd: 3, estimated: true });
    const usage = { inputTokens: 700, outputTokens: 0, cacheWriteTokens: 0, cacheReadTokens: 5 };
    expect(chargeLost(before, lost({ agentMs: 60, usage, costUsd: 18 }))).toMatchObject({
      timeMs: 60,
      tokens: 700,
      costUsd: 18,
      cacheReadTokens: 5,
      estimated: false,
    });
    expect(chargeLost(before, lost({ agentMs: 0 }))).toBe(before);
    // Before the first round has ended there is nothing to go by.
    expect(chargeLost(nothingSpent, lost({})).unreported).toEqual({ tokens: 1, costUsd: 1 });
    // Nor where the rounds before told nothing of it.
    const silent = chargeLost(spent(use(0, 0, 0), [use(9, 0, 0)]), lost({ agentMs: 60 }));
    expect(silent).toMatchObject({ tokens: 0, estimated: false, unreported: { tokens: 1, costUsd: 1 } });
  });

  test('a round is the sum of its attempts, and five of them tell what the next one will use', () => {
    let now = nothingSpent;
    for (let round = 1; round <= 7; round++) now = endRound(chargeAgent(chargeAgent(now, attempt({})), attempt({})));
    expect(now.recent).toHaveLength(5);
    expect(now.recent[0]).toEqual(use(120_000, 246, 1));
    expect(now.round).toEqual(use(0, 0, 0));
  });

  test('waits are no time worked', () => {
    expect(chargeWait(nothingSpent, 5_000)).toMatchObject({ timeMs: 0, waitMs: 5_000 });
  });
});

describe('a budget', () => {
  const budgets = { maxTimeMs: 10_000, maxTokens: 1_000, maxCostUsd: 2, maxWaitMs: 60_000 };

  test.each([
    ['time', use(10_000, 0, 0)],
    ['tokens', use(0, 1_000, 0)],
    ['cost', use(0, 0, 2)],
  ])('of %s is reached at its limit, not before', (budget, used) => {
    expect(budgetReached(spent(used), budgets)).toMatchObject({ budget });
    const less = use(used.timeMs * 0.99, used.tokens * 0.99, used.costUsd * 0.99);
    expect(budgetReached(spent(less), budgets)).toBeNull();
    expect(budgetReached(spent(used), noBudgets)).toBeNull();
  });

  test('stops the run before a round that it cannot expect to afford, and says what a round takes', () => {
    const recent = [use(0, 300, 0), use(0, 500, 0)];
    expect(unaffordable(spent(use(0, 600, 0), recent), budgets)).toBeNull();
    expect(unaffordable(spent(use(0, 601, 0), recent), budgets)).toEqual({
      budget: 'tokens',
      reason: '601 tokens of 1,000 tokens are used, and a round takes about 400 tokens',
    });
  });

  test('of waits counts the wait that would come', () => {
    const waited = chargeWait(nothingSpent, 50_000);
    expect(waitTooLong(waited, budgets, 10_000)).toBeNull();
    expect(waitTooLong(waited, budgets, 10_001)).toMatchObject({ budget: 'wait' });
    expect(waitTooLong(waited, noBudgets, 1e9)).toBeNull();
  });

  test('leaves an attempt what is not used', () => {
    expect(allowanceOf(spent(use(4_000, 100, 0.5)), { ...budgets, maxCostUsd: null })).toEqual({
      timeMs: 6_000,
      tokens: 900,
      costUsd: null,
    });
  });
});
