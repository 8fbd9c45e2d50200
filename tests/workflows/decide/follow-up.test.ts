import { noBudgets, nothingSpent } from '../../../schemas/budget/budget.ts';
import { noStallCounters } from '../../../schemas/loop/stall.ts';
import type { LoopState } from '../../../schemas/loop/state.ts';
import { advance } from '../../../workflows/decide/advance.ts';
import { followUp } from '../../../workflows/decide/follow-up.ts';
import { complete, failed, gatesRan, goOn, loopOf, reported } from '../../support/loop-events.ts';
import { plainGate } from '../../support/records.ts';
import { pendingOf } from '../../support/step-input.ts';

const reviewer = { provider: 'command', command: 'review', model: null } as const;
const gates = [{ command: 'npm test', timeoutMs: 1_000 }];
const ceilings = { maxRounds: 3, budgets: { ...noBudgets, maxTokens: 5 } };
const plain = { note: null, ceilings, wasAccepted: false };

test('keeps what the work needs and counts everything anew', () => {
  const { request, ready } = loopOf();
  const first = advance(request, ready, reported(1, goOn('1'))).state;
  const last = advance(request, { ...first, userNotes: ['hello'] }, failed(2, 'agent-crashed')).state;
  expect(followUp(last, { request, ...plain })).toEqual({
    prepared: false,
    rounds: 0,
    handoff: goOn('1'),
    handoffSource: 'report',
    userNotes: ['hello'],
    commit: 'c2-1',
    ref: null,
    faults: ready.faults,
    spent: { ...nothingSpent, recent: [{ timeMs: 60_000, tokens: 100, costUsd: 0.5 }] },
    baseline: null,
    stall: noStallCounters,
    pending: null,
    ceilings,
    checks: null,
  } satisfies LoopState);
});

test('adds what the user says to what no report has answered yet', () => {
  const { request, ready } = loopOf();
  const state = { ...ready, userNotes: ['hello'] };
  expect(followUp(state, { request, note: 'again', ceilings, wasAccepted: false }).userNotes).toEqual([
    'hello',
    'again',
  ]);
});

describe('a pending verification', () => {
  const loop = loopOf({ gates, reviewer });
  const claimed = advance(loop.request, { ...loop.ready, baseline: [] }, reported(1, complete)).state;
  const { state: passed } = advance(loop.request, claimed, gatesRan(1, [plainGate()]));

  test('is done first, from its gates on, as the workspace is a new one', () => {
    const state = followUp(passed, { request: loop.request, ...plain });
    expect(state.pending).toMatchObject({
      runId: 'r',
      round: 1,
      claim: complete,
      finalText: 'last words',
      gates: null,
    });
    expect(state.baseline).toEqual([]);
    expect(advance(loop.request, { ...state, prepared: true }, { kind: 'begun', now: 0, random: 0 }).next).toEqual({
      kind: 'gates',
      again: false,
    });
  });

  test('is dropped where the user has something to say to an agent first, and handed on instead', () => {
    const state = followUp(passed, { request: loop.request, note: 'look again', ceilings, wasAccepted: false });
    expect(state).toMatchObject({ pending: null, handoffSource: 'unverified-claim', userNotes: ['look again'] });
    expect(state.handoff?.nextSteps[0]).toContain('gates passed');
  });

  test('is dropped where its gates ran in the workspace that is gone, or where no baseline is known for them', () => {
    const inPlace = { ...loop.request, gatePolicy: { ...loop.request.gatePolicy, inPlace: true } };
    expect(followUp(passed, { request: inPlace, ...plain }).pending).toBeNull();
    expect(followUp({ ...passed, baseline: null }, { request: loop.request, ...plain }).pending).toBeNull();
    const ungated = loopOf({ reviewer });
    expect(followUp({ ...claimed, baseline: null }, { request: ungated.request, ...plain }).pending).not.toBeNull();
  });

  test('is dropped where a later run accepted it and was rolled back, and what happened is handed on', () => {
    const state = followUp(passed, { request: loop.request, ...plain, wasAccepted: true });
    expect(state).toMatchObject({ pending: null, handoffSource: 'unverified-claim' });
    expect(state.handoff?.nextSteps).toEqual([expect.stringContaining('accepted it, but the run was rolled back')]);
  });

  test('judges the follow-up by nothing that the run before was measured by', () => {
    const unreported = { code: 'usage-unknown', message: 'm', resetAt: null } as const;
    const stall = { cause: 'unchanged-tree', reason: 'x' } as const;
    const pending = { ...pendingOf('r', 1), stall, unreported, whyRejected: 'why' };
    const state = followUp({ ...claimed, pending }, { request: loop.request, ...plain });
    expect(state.pending).toMatchObject({ stall: null, unreported: null, whyRejected: null });
  });
});
