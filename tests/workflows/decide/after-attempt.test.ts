import { noBudgets, type Ceilings } from '../../../schemas/budget/budget.ts';
import type { LoopState } from '../../../schemas/loop/state.ts';
import { advance } from '../../../workflows/decide/advance.ts';
import {
  blocked,
  complete,
  failed,
  fault,
  goOn,
  loopOf,
  lost,
  noCeilings,
  reported,
} from '../../support/loop-events.ts';

const { request, ready } = loopOf();
const step = (...args: Parameters<typeof advance>) => advance(...args);

describe('a report', () => {
  test('is handed on, with its checkpoint and what it used, and the round is over', () => {
    const tired: LoopState = {
      ...ready,
      userNotes: ['hello'],
      faults: { ...ready.faults, afterAttempt: 2, whyRejected: 'why', tally: { ...ready.faults.tally, round: 2 } },
    };
    const { state, next } = step(request, tired, reported(1, goOn('1'), { number: 3 }));
    expect(next).toEqual({ kind: 'attempt' });
    expect(state).toMatchObject({
      rounds: 1,
      handoff: goOn('1'),
      handoffSource: 'report',
      userNotes: [],
      commit: 'c1-3',
      ref: 'refs/1-3',
      faults: ready.faults,
    });
    expect(state.spent).toMatchObject({ tokens: 100, costUsd: 0.5, timeMs: 60_000, round: { tokens: 0 } });
    expect(state.spent.recent).toEqual([{ tokens: 100, costUsd: 0.5, timeMs: 60_000 }]);
  });

  test('in the last round is budget-limited and carries the last report', () => {
    const { next } = step(request, { ...ready, rounds: 9 }, reported(10, goOn('10')));
    expect(next).toEqual({
      kind: 'end',
      ending: {
        status: 'budget-limited',
        budget: 'rounds',
        reason: '10 of 10 rounds are used',
        rounds: 10,
        commit: 'c10-1',
        ref: 'refs/10-1',
        handoff: goOn('10'),
      },
    });
  });

  test('goes by the rounds in force, not by those that were asked for', () => {
    const raised = { ...ready, rounds: 9, ceilings: { ...ready.ceilings, maxRounds: 11 } };
    expect(step(request, raised, reported(10, goOn('10'))).next).toEqual({ kind: 'attempt' });
  });

  test('of completion in the last allowed round is a claim to be checked, not the end of the budget', () => {
    const { next } = step(request, { ...ready, rounds: 9 }, reported(10, complete));
    expect(next).toMatchObject({ kind: 'end', ending: { status: 'complete', verification: 'agent-reported' } });
  });

  test('of rounds that repeat themselves stalls before the budget ends', () => {
    const stuck = loopOf({ limits: { stallRounds: 2, maxRounds: 2 } });
    const first = step(stuck.request, stuck.ready, reported(1, goOn('1'), { changed: false }));
    expect(first.next).toEqual({ kind: 'attempt' });
    expect(step(stuck.request, first.state, reported(2, goOn('2'), { changed: false })).next).toMatchObject({
      kind: 'end',
      ending: { status: 'stalled', cause: 'unchanged-tree', handoff: goOn('2') },
    });
  });

  test('of a blocker ends the run with that report', () => {
    expect(step(request, ready, reported(1, blocked)).next).toMatchObject({
      kind: 'end',
      ending: { status: 'blocked', report: blocked, finalText: 'last words' },
    });
  });

  test('that breaks the contract where the loop takes it over is a fault of the round', () => {
    const { state, next } = step(request, ready, reported(1, goOn(' padded ')));
    expect(next).toEqual({ kind: 'attempt' });
    expect(state).toMatchObject({ rounds: 0, handoff: null, faults: { afterAttempt: 1, tally: { report: 1 } } });
    expect(state.faults.whyRejected).toContain('summary');
    const long = loopOf({ limits: { maxHandoffChars: 200 } });
    expect(step(long.request, long.ready, reported(1, goOn('x'.repeat(300)))).state.faults.whyRejected).toContain(
      '383',
    );
  });

  test('without a checkpoint leaves the loop at the last one', () => {
    expect(step(request, ready, reported(1, goOn('1'), { checkpoint: null })).state).toMatchObject({ commit: 'base' });
  });
});

describe('a budget that only a report can hold', () => {
  const budgets = { ...noBudgets, maxCostUsd: 5 };
  const limited: LoopState = { ...ready, ceilings: { maxRounds: 10, budgets } };

  test('ends the run where the agent reports no cost, with the report handed on', () => {
    const { state, next } = step(request, limited, reported(1, goOn('1'), { costUsd: null }));
    expect(next).toMatchObject({
      kind: 'end',
      ending: { status: 'round-failed', round: 1, fault: { code: 'usage-unknown' }, handoff: goOn('1') },
    });
    expect(state.handoff).toEqual(goOn('1'));
  });

  test('ends no run that is complete, as no further round comes', () => {
    expect(step(request, limited, reported(1, complete, { costUsd: null })).next).toMatchObject({
      kind: 'end',
      ending: { status: 'complete' },
    });
  });
});

describe('an agent that was ended at a budget', () => {
  const asked: Ceilings = { maxRounds: 10, budgets: { ...noBudgets, maxTokens: 100 } };
  const limited: LoopState = { ...ready, ceilings: asked };
  const event = failed(1, fault('budget-spent', { budget: 'tokens', message: '100 of 100' }), { asked });

  test('ends the run as budget-limited', () => {
    expect(step(request, limited, event).next).toMatchObject({
      kind: 'end',
      ending: { status: 'budget-limited', budget: 'tokens', reason: '100 of 100' },
    });
  });

  test('is followed by another attempt where the budget was raised meanwhile', () => {
    const raised = { ...limited, ceilings: { ...asked, budgets: { ...noBudgets, maxTokens: 1_000 } } };
    const { state, next } = step(request, raised, event);
    expect(next).toEqual({ kind: 'attempt' });
    expect(state.faults.afterAttempt).toBe(1);
    const other = { ...limited, ceilings: { ...asked, maxRounds: 20 } };
    expect(step(request, other, event).next).toMatchObject({ kind: 'end', ending: { status: 'budget-limited' } });
  });
});

describe('a round that ran out of time', () => {
  test('counts where it changed the tree, keeps the handoff and takes back no note', () => {
    const before = { ...ready, handoff: goOn('before'), userNotes: ['hello'] };
    const { state, next } = step(request, before, failed(1, 'round-timeout', { changed: true }));
    expect(next).toEqual({ kind: 'attempt' });
    expect(state).toMatchObject({ rounds: 1, handoff: goOn('before'), userNotes: ['hello'], commit: 'c1-1' });
    expect(state.faults).toEqual(ready.faults);
    expect(step(request, { ...ready, rounds: 9 }, failed(10, 'round-timeout', { changed: true })).next).toMatchObject({
      ending: { status: 'budget-limited', budget: 'rounds', rounds: 10 },
    });
  });

  test('is attempted again where it did not', () => {
    const { state, next } = step(request, ready, failed(1, 'round-timeout'));
    expect(next).toEqual({ kind: 'attempt' });
    expect(state).toMatchObject({ rounds: 0, faults: { afterAttempt: 1, tally: { round: 1 } } });
  });
});

describe('attempts that were ended from outside', () => {
  test('are charged, keep their work, and the round is attempted again at once', () => {
    const { state, next } = step(request, ready, lost(1, { commit: 'w', ref: 'refs/w', changed: true }, {}));
    expect(next).toEqual({ kind: 'attempt' });
    expect(state).toMatchObject({ rounds: 0, commit: 'w', ref: 'refs/w', spent: { costUsd: 0.5, tokens: 200 } });
    expect(state.faults).toMatchObject({ afterAttempt: 2, tally: { inARow: 1, lastCharge: 'transient', round: 0 } });
    expect(state.stall.changed).toBe(true);
  });

  test('again and again are waited for like a network, within the budget of waits, and end the run in the end', () => {
    const once = step(request, ready, lost(1, {})).state;
    expect(step(request, once, lost(1, { attempt: 2 })).next).toEqual({
      kind: 'wait',
      wait: { round: 1, delayMs: 5_000, why: 'worker-lost: attempts at round 1 were lost 2 times in a row' },
    });
    const short = { ...once, ceilings: { ...noCeilings, budgets: { ...noBudgets, maxWaitMs: 1_000 } } };
    expect(step(request, short, lost(1, { attempt: 2 })).next).toMatchObject({
      ending: { status: 'budget-limited', budget: 'wait' },
    });
    const tally = { ...once.faults.tally, inARow: 149 };
    expect(step(request, { ...once, faults: { ...once.faults, tally } }, lost(1, { attempt: 2 })).next).toMatchObject({
      ending: { status: 'round-failed', fault: { code: 'engine-error' }, attempts: 150 },
    });
  });

  test('by a pause cost no patience', () => {
    const { state, next } = step(request, ready, lost(1, { by: 'paused' }));
    expect(next).toEqual({ kind: 'attempt' });
    expect(state.faults.tally).toEqual(ready.faults.tally);
    expect(state.faults.afterAttempt).toBe(1);
  });
});

test('a fault beside a fallback agent gives it the next attempt, and its own limit is remembered', () => {
  const fallbackAgent = { provider: 'command', command: 'other', model: null } as const;
  const two = loopOf({ fallbackAgent });
  const resetAt = '2026-01-05T12:00:00.000Z';
  const { state, next } = step(two.request, two.ready, failed(1, fault('usage-limited', { resetAt })));
  expect(next).toEqual({ kind: 'attempt' });
  expect(state.faults).toMatchObject({ fallback: true, ownUntil: resetAt, afterAttempt: 1 });
  const back = step(two.request, state, failed(1, 'rate-limited', { number: 2 }));
  expect(back.next).toMatchObject({ kind: 'wait' });
  expect(back.state.faults).toMatchObject({ fallback: false, ownUntil: null, afterAttempt: 2 });
});
