import { noBudgets } from '../../../schemas/budget/budget.ts';
import { LoopState } from '../../../schemas/loop/state.ts';
import type { RunRequest } from '../../../schemas/run/run.ts';
import { traceOf } from '../../../schemas/verification/gate.ts';
import { advance, endBefore, endedState } from '../../../workflows/decide/advance.ts';
import type { LoopEvent, Next } from '../../../workflows/decide/events.ts';
import {
  accept,
  begun,
  blocked,
  complete,
  failed,
  gatesFailed,
  gatesLost,
  gatesRan,
  goOn,
  interrupted,
  loopOf,
  lost,
  notPrepared,
  prepared,
  reported,
  reject,
  reviewed,
  reviewFailed,
  reviewLost,
  waited,
} from '../../support/loop-events.ts';
import { plainGate } from '../../support/records.ts';

const reviewer = { provider: 'command', command: 'review', model: null } as const;
const gate = { command: 'npm test', timeoutMs: 1_000 };
const red = plainGate({ exitCode: 1, outputHash: 'x', output: 'AssertionError' });

/** Where a loop stands after all these events, and what it does next. */
function after(request: RunRequest, state: LoopState, ...events: LoopEvent[]): { state: LoopState; next: Next } {
  let here: { state: LoopState; next: Next } = advance(request, state, begun);
  for (const event of events) here = advance(request, here.state, event);
  return here;
}

describe('what is next', () => {
  test('follows from the state alone: prepare, the baseline, then round after round', () => {
    const { request, ready } = loopOf({ gates: [gate] });
    const first = { ...ready, prepared: false };
    expect(after(request, first).next).toEqual({ kind: 'prepare' });
    expect(after(request, first, prepared).next).toEqual({ kind: 'gates', again: false });
    const known = after(request, first, prepared, gatesRan(0, [red]));
    expect(known.next).toEqual({ kind: 'attempt' });
    expect(known.state.baseline).toEqual([traceOf(red)]);
    expect(after(request, known.state, reported(1, goOn('1'))).next).toEqual({ kind: 'attempt' });
  });

  test('is the same for a state that was written down and read again', () => {
    const { request, ready } = loopOf({ gates: [gate], reviewer });
    const claimed = after(request, { ...ready, baseline: [] }, reported(1, complete), gatesRan(1, [plainGate()]));
    const read = LoopState.parse(JSON.parse(JSON.stringify(claimed.state)));
    expect(read).toEqual(claimed.state);
    expect(after(request, read).next).toEqual(claimed.next);
    expect(claimed.next).toEqual({ kind: 'review', again: false });
  });

  test('without gates no baseline is asked for, and gates that are known already are not run again', () => {
    expect(after(loopOf().request, loopOf().ready).next).toEqual({ kind: 'attempt' });
    const { request, ready } = loopOf({ gates: [gate] });
    expect(after(request, { ...ready, baseline: [] }).next).toEqual({ kind: 'attempt' });
  });

  test('a pending verification of the run before comes first, and needs no baseline of its own', () => {
    const { request, ready } = loopOf({ gates: [gate], reviewer });
    const { state } = after(request, { ...ready, baseline: [] }, reported(1, complete));
    const inherited = { ...state, rounds: 0, prepared: false };
    expect(after(request, inherited, prepared).next).toEqual({ kind: 'gates', again: false });
    const passed = after(request, inherited, prepared, gatesRan(0, [plainGate()]));
    expect(passed.next).toEqual({ kind: 'review', again: false });
    expect(after(request, passed.state, reviewed(0, accept)).next).toMatchObject({
      kind: 'end',
      ending: { status: 'complete', rounds: 0, finalText: 'last words' },
    });
  });

  test('only protected paths are checked by the gates as well', () => {
    const { request, ready } = loopOf({ gatePolicy: { inPlace: false, allowRedBaseline: false, protect: ['*.md'] } });
    const claimed = after(request, ready, reported(1, complete));
    expect(claimed.next).toEqual({ kind: 'gates', again: false });
    const touched = after(request, claimed.state, gatesRan(1, [], { protectedPaths: ['a.md'] }));
    expect(touched.next).toEqual({ kind: 'attempt' });
    expect(touched.state.handoff?.nextSteps[0]).toContain('a.md');
  });
});

describe('preparing', () => {
  const { request, ready } = loopOf();
  const first = { ...ready, prepared: false, commit: 'asked', ref: null };

  test('a full disk is waited out, and tried again by another number', () => {
    const full = after(request, first, notPrepared('disk-full'));
    expect(full.next).toMatchObject({ kind: 'wait', wait: { round: 0, why: 'disk-full: m disk-full' } });
    expect(full.state.faults.afterAttempt).toBe(1);
    const again = after(request, full.state, waited(5_000));
    expect(again.next).toEqual({ kind: 'prepare' });
    expect(again.state.spent.waitMs).toBe(5_000);
    const done = after(request, again.state, prepared);
    expect(done.state).toMatchObject({ prepared: true, commit: 'base', ref: 'refs/base' });
    expect(done.state.faults).toEqual(ready.faults);
  });

  test('what does not pass ends the run before its first round', () => {
    expect(after(request, first, notPrepared('setup-failed')).next).toMatchObject({
      kind: 'end',
      ending: { status: 'round-failed', round: 0, attempts: 1, fault: { code: 'setup-failed' } },
    });
  });
});

describe('the last report is never lost', () => {
  const cases: [string, Parameters<typeof loopOf>[0], LoopEvent, string][] = [
    ['the rounds are used up', { limits: { maxRounds: 1 } }, reported(1, goOn('1')), 'budget-limited'],
    ['the run has stalled', { limits: { stallRounds: 1 } }, reported(1, goOn('1'), { changed: false }), 'stalled'],
    ['the agent is blocked', {}, reported(1, blocked), 'blocked'],
  ];

  test.each(cases)('where %s, the state has what a follow-up hands on', (_what, more, event, status) => {
    const { request, ready } = loopOf(more);
    const { state, next } = after(request, ready, event);
    expect(next).toMatchObject({ kind: 'end', ending: { status } });
    expect(state.rounds).toBe(1);
    expect(state.handoff?.summary).toMatch(/^(1|stuck)$/);
    expect(state.commit).toBe('c1-1');
    expect(state.spent.recent).toHaveLength(1);
  });

  test('a blocker becomes the first step of the next agent', () => {
    const { request, ready } = loopOf();
    const { state } = after(request, ready, reported(1, blocked));
    expect(state).toMatchObject({ handoffSource: 'blocker', handoff: { status: 'continue', blocker: '' } });
    expect(state.handoff?.nextSteps).toEqual([expect.stringContaining('no key'), 'go on']);
  });

  test('where a claim is made, the state has the pending verification and what is handed on without it', () => {
    const { request, ready } = loopOf({ reviewer });
    const { state, next } = after(request, { ...ready, userNotes: ['mind the gap'] }, reported(1, complete));
    expect(next).toEqual({ kind: 'review', again: false });
    expect(state).toMatchObject({
      rounds: 1,
      handoffSource: 'unverified-claim',
      userNotes: [],
      pending: { runId: 'r', round: 1, claim: complete, finalText: 'last words', gates: null },
    });
    expect(state.handoff?.nextSteps[0]).toContain('did not finish checking it');
  });

  test('a round that failed hands on what it was given, with the notes that no report has answered', () => {
    const { request, ready } = loopOf();
    const first = after(request, ready, reported(1, goOn('1'))).state;
    const { state, next } = after(request, { ...first, userNotes: ['hello'] }, failed(2, 'engine-error'));
    expect(next).toMatchObject({ kind: 'end', ending: { status: 'round-failed', round: 2, handoff: goOn('1') } });
    expect(state).toMatchObject({ rounds: 1, handoff: goOn('1'), userNotes: ['hello'], commit: 'c2-1' });
    expect(state.faults.afterAttempt).toBe(1);
  });
});

describe('a stop, right before a step', () => {
  const { request, ready } = loopOf({ gates: [gate], reviewer });
  const known = { ...ready, baseline: [] };
  const claimed = after(request, known, reported(1, complete));

  test('ends the run before a round, a preparation and the baseline', () => {
    for (const kind of ['prepare', 'attempt'] as const) {
      expect(endBefore(known, { kind }, true)).toMatchObject({ status: 'stopped' });
      expect(endBefore(known, { kind }, false)).toBeNull();
    }
    expect(endBefore(ready, { kind: 'gates', again: false }, true)).toMatchObject({ status: 'stopped', rounds: 0 });
  });

  test('lets the check of a claim begin that was just made, once', () => {
    expect(endBefore(claimed.state, claimed.next, true)).toBeNull();
    const passed = after(request, claimed.state, gatesRan(1, [plainGate()]));
    expect(endBefore(passed.state, passed.next, true)).toBeNull();
    for (const event of [interrupted, gatesFailed(1, 'disk-full'), gatesLost(1)]) {
      const tried = after(request, claimed.state, event, ...(event.kind === 'interrupted' ? [] : [waited(1)]));
      expect(endBefore(tried.state, tried.next, true)).toMatchObject({ status: 'stopped', rounds: 1 });
    }
    const judged = after(request, passed.state, reviewFailed(1, 'network'), waited(1));
    expect(endBefore(judged.state, judged.next, true)).toMatchObject({ status: 'stopped' });
  });

  test('begins no check of the run before', () => {
    const inherited = { ...claimed.state, rounds: 0 };
    expect(endBefore(inherited, { kind: 'gates', again: false }, true)).toMatchObject({ status: 'stopped' });
    expect(endBefore(inherited, { kind: 'review', again: false }, true)).toMatchObject({ status: 'stopped' });
  });
});

describe('a budget, right before a step', () => {
  const { ready } = loopOf();
  const limited = (spent: Partial<LoopState['spent']>, afterAttempt = 0): LoopState => ({
    ...ready,
    spent: { ...ready.spent, ...spent },
    faults: { ...ready.faults, afterAttempt },
    ceilings: { maxRounds: 10, budgets: { ...noBudgets, maxTokens: 100 } },
  });
  const recent = [{ timeMs: 0, tokens: 40, costUsd: 0 }];

  test('that a round would likely go beyond begins none, but lets one that was begun be finished', () => {
    expect(endBefore(limited({ tokens: 70, recent }), { kind: 'attempt' }, false)).toMatchObject({
      status: 'budget-limited',
      budget: 'tokens',
    });
    expect(endBefore(limited({ tokens: 70, recent }, 1), { kind: 'attempt' }, false)).toBeNull();
    expect(endBefore(limited({ tokens: 100, recent }, 1), { kind: 'attempt' }, false)).not.toBeNull();
  });

  test('that is used up begins no review, and keeps no gates from running', () => {
    expect(endBefore(limited({ tokens: 100 }), { kind: 'review', again: false }, false)).toMatchObject({
      budget: 'tokens',
    });
    expect(endBefore({ ...limited({ tokens: 100 }), rounds: 1 }, { kind: 'gates', again: false }, false)).toBeNull();
  });
});

describe('what the loop never heard of', () => {
  const cancelled = { status: 'cancelled', reason: null } as const;

  test('is counted once, in order: attempts that were lost, and a report after them', () => {
    const { request, ready } = loopOf();
    const events = [lost(1, { attempt: 1 }, { attempt: 2 }), reported(1, goOn('1'), { number: 3 })];
    const state = endedState(request, ready, { events, ending: cancelled });
    expect(state).toMatchObject({ rounds: 1, handoff: goOn('1'), commit: 'c1-3', spent: { costUsd: 1, tokens: 300 } });
  });

  test('a claim under a cancel stays pending, also where nothing would check it, and after its check has passed', () => {
    const plain = loopOf();
    const claimed = endedState(plain.request, plain.ready, { events: [reported(1, complete)], ending: cancelled });
    expect(claimed).toMatchObject({ rounds: 1, pending: { round: 1, claim: complete } });
    expect(claimed.handoff?.nextSteps[0]).toContain('did not finish checking it');

    const gated = loopOf({ gates: [gate] });
    const claim = after(gated.request, { ...gated.ready, baseline: [] }, reported(1, complete)).state;
    const passed = endedState(gated.request, claim, { events: [gatesRan(1, [plainGate()])], ending: cancelled });
    expect(passed.pending).toMatchObject({ round: 1, gates: { results: [plainGate()] } });
    expect(passed.checks).toEqual({ round: 1, afterCheck: 1, afterReview: 0 });
  });

  test('a completion leaves nothing to verify, and a rollback of it a first step that says what happened', () => {
    const { request, ready } = loopOf({ gates: [gate] });
    const { state, next } = after(
      request,
      { ...ready, baseline: [] },
      reported(1, complete),
      gatesRan(1, [plainGate()]),
    );
    if (next.kind !== 'end') throw new Error(`${next.kind} is no end`);
    const ended = endedState(request, state, { events: [], ending: next.ending });
    expect(ended.pending).toBeNull();
    expect(ended.handoff?.nextSteps[0]).toContain('accepted it, but the run was rolled back');
  });

  test('a check that was ended from outside is charged, and the claim stays pending', () => {
    const { request, ready } = loopOf({ gates: [gate], reviewer });
    const claim = after(request, { ...ready, baseline: [] }, reported(1, complete)).state;
    const events = [gatesRan(1, [plainGate()]), reviewLost(1)];
    const state = endedState(request, claim, { events, ending: cancelled });
    expect(state).toMatchObject({ spent: { costUsd: 0.75 }, pending: { round: 1 } });
    expect(state.checks).toEqual({ round: 1, afterCheck: 1, afterReview: 1 });
    expect(
      endedState(request, claim, { events: [...events, reviewed(1, reject, 2)], ending: cancelled }),
    ).toMatchObject({
      pending: null,
      handoffSource: 'rejected-claim',
    });
  });
});
