import { noBudgets } from '../../../schemas/budget/budget.ts';
import type { LoopState } from '../../../schemas/loop/state.ts';
import type { RunRequest } from '../../../schemas/run/run.ts';
import { traceOf } from '../../../schemas/verification/gate.ts';
import { advance } from '../../../workflows/decide/advance.ts';
import type { LoopEvent } from '../../../workflows/decide/events.ts';
import {
  accept,
  complete,
  gatesFailed,
  gatesLost,
  gatesRan,
  goOn,
  loopOf,
  reported,
  reject,
  reviewed,
  reviewFailed,
  reviewLost,
  waited,
} from '../../support/loop-events.ts';
import { plainGate } from '../../support/records.ts';

const reviewer = { provider: 'command', command: 'review', model: null } as const;
const gates = [{ command: 'npm test', timeoutMs: 1_000 }];
const red = plainGate({ exitCode: 1, outputHash: 'x', output: 'AssertionError' });

/** A loop whose agent claimed completion in round 1. */
function claimed(more: Parameters<typeof loopOf>[0], ready: Partial<LoopState> = {}) {
  const loop = loopOf(more);
  const { state } = advance(loop.request, { ...loop.ready, baseline: [], ...ready }, reported(1, complete));
  return { request: loop.request, state };
}

const after = (loop: { request: RunRequest; state: LoopState }, ...events: LoopEvent[]) => {
  let here: ReturnType<typeof advance> | { state: LoopState; next: null } = { state: loop.state, next: null };
  for (const event of events) here = advance(loop.request, here.state, event);
  return here;
};

/** The same once its gates have passed. */
const passed = (more: Parameters<typeof loopOf>[0] = {}, ready: Partial<LoopState> = {}) => {
  const loop = claimed({ gates, reviewer, ...more }, ready);
  return { request: loop.request, state: after(loop, gatesRan(1, [plainGate()])).state };
};

/** The same review by a program that reports no cost. */
const silent = (event: LoopEvent): LoopEvent =>
  event.kind === 'reviewed' && event.result.kind === 'reviewed'
    ? { ...event, result: { ...event.result, costUsd: null } }
    : event;

describe('gates on a completion claim', () => {
  test('that pass end the run, where nobody reviews', () => {
    expect(after(claimed({ gates }), gatesRan(1, [plainGate()])).next).toMatchObject({
      kind: 'end',
      ending: {
        status: 'complete',
        rounds: 1,
        commit: 'c1-1',
        verification: 'gates-passed',
        excusedGates: [],
        report: complete,
        finalText: 'last words',
      },
    });
  });

  test('that pass lead to the review, with what they said, and the handoff says how far the check came', () => {
    const { state, next } = after(claimed({ gates, reviewer }), gatesRan(1, [plainGate()]));
    expect(next).toEqual({ kind: 'review', again: false });
    expect(state.pending?.gates).toEqual({ results: [plainGate()], excused: [] });
    expect(state.handoff?.nextSteps[0]).toContain('the reviewer did not come to a verdict');
    expect(state.spent.timeMs).toBe(120_000);
  });

  test('that fail reject it: the next agent is told which, and the check was part of the round', () => {
    const { state, next } = after(claimed({ gates, reviewer }), gatesRan(1, [red]));
    expect(next).toEqual({ kind: 'attempt' });
    expect(state).toMatchObject({ pending: null, handoffSource: 'rejected-claim', rounds: 1 });
    expect(state.handoff?.nextSteps[0]).toContain('npm test');
    expect(state.handoff?.nextSteps[0]).toContain('AssertionError');
    expect(state.stall).toMatchObject({ rejections: 1, gate: { trace: traceOf(red), times: 1 } });
    expect(state.spent.recent).toEqual([{ timeMs: 120_000, tokens: 100, costUsd: 0.5 }]);
  });

  test('that fail as before round 1 are excused where the run allows it', () => {
    const gatePolicy = { inPlace: false, allowRedBaseline: true, protect: [] };
    const loop = claimed({ gates, gatePolicy }, { baseline: [traceOf(red)] });
    expect(after(loop, gatesRan(1, [red])).next).toMatchObject({
      ending: { status: 'complete', verification: 'gates-as-before', excusedGates: ['npm test'] },
    });
  });

  test('that reject the claim of the last round end the run, with why handed on', () => {
    const loop = claimed({ gates, limits: { maxRounds: 1 } });
    const { state, next } = after(loop, gatesRan(1, [red]));
    expect(next).toMatchObject({ kind: 'end', ending: { status: 'budget-limited', budget: 'rounds' } });
    expect(state.handoffSource).toBe('rejected-claim');
  });

  test('that reject it too often stall the run, and so does a tree that nobody changed', () => {
    expect(after(claimed({ gates, limits: { maxRejections: 1 } }), gatesRan(1, [red])).next).toMatchObject({
      ending: { status: 'stalled', cause: 'claims-rejected' },
    });
    const loop = loopOf({ gates, limits: { stallRounds: 1 } });
    const unchanged = { ...loop.ready, baseline: [] };
    const { state } = advance(loop.request, unchanged, reported(1, complete, { changed: false }));
    expect(after({ request: loop.request, state }, gatesRan(1, [plainGate()])).next).toMatchObject({
      ending: { status: 'complete' },
    });
    expect(after({ request: loop.request, state }, gatesRan(1, [red])).next).toMatchObject({
      ending: { status: 'stalled', cause: 'unchanged-tree' },
    });
  });

  test('that could not be run say nothing of the claim: they are waited for, and run again', () => {
    const loop = claimed({ gates });
    const full = after(loop, gatesFailed(1, 'disk-full'));
    expect(full.next).toMatchObject({ kind: 'wait', wait: { round: 1 } });
    expect(full.state).toMatchObject({ pending: { round: 1 }, checks: { round: 1, afterCheck: 1, afterReview: 0 } });
    const again = after(loop, gatesFailed(1, 'disk-full'), waited(1_000));
    expect(again.next).toEqual({ kind: 'gates', again: true });
    expect(after(loop, gatesFailed(1, 'workspace-broken')).next).toMatchObject({
      ending: { status: 'round-failed', round: 1, attempts: 1 },
    });
  });

  test('that were lost are charged and run again; by a pause without losing patience', () => {
    const loop = claimed({ gates });
    const once = after(loop, gatesLost(1));
    expect(once.next).toEqual({ kind: 'gates', again: true });
    expect(once.state).toMatchObject({ spent: { timeMs: 90_000 }, faults: { tally: { inARow: 1 } } });
    expect(after(loop, gatesLost(1), gatesLost(1, { check: 2 })).next).toMatchObject({ kind: 'wait' });
    const paused = after(loop, gatesLost(1, { afterPause: true }), gatesLost(1, { check: 2, afterPause: true }));
    expect(paused.next).toEqual({ kind: 'gates', again: true });
    expect(paused.state.checks).toEqual({ round: 1, afterCheck: 2, afterReview: 0 });
  });
});

describe('a review of a completion claim', () => {
  test('that accepts it ends the run', () => {
    expect(after(passed(), reviewed(1, accept)).next).toMatchObject({
      ending: { status: 'complete', verification: 'reviewed', report: complete },
    });
  });

  test('that rejects it is told to the next agent, and counts for stall detection without a gate', () => {
    const { state, next } = after(passed(), reviewed(1, reject));
    expect(next).toEqual({ kind: 'attempt' });
    expect(state).toMatchObject({
      pending: null,
      handoffSource: 'rejected-claim',
      stall: { rejections: 1, gate: null },
    });
    expect(state.handoff?.nextSteps).toEqual(['A reviewer rejected the completion claim: half of it is missing']);
    expect(state.spent).toMatchObject({ costUsd: 1, tokens: 200, round: { tokens: 0 } });
  });

  test('whose output was rejected is asked for again, and told why', () => {
    const { state, next } = after(passed(), reviewFailed(1, 'report-invalid'));
    expect(next).toEqual({ kind: 'review', again: true });
    expect(state.pending?.whyRejected).toBe('m report-invalid');
    expect(state.faults).toMatchObject({ whyRejected: null, tally: { report: 1 } });
    const then = after(passed(), reviewFailed(1, 'report-invalid'), reviewLost(1, { number: 2 }));
    expect(then.state.pending?.whyRejected).toBe('m report-invalid');
    expect(after(passed(), reviewFailed(1, 'report-invalid'), reviewFailed(1, 'report-invalid', 2)).next).toMatchObject(
      {
        ending: { status: 'round-failed', round: 1, attempts: 2, fault: { code: 'report-invalid' } },
      },
    );
  });

  test('no agent stands in for a reviewer that is limited', () => {
    const fallbackAgent = { provider: 'command', command: 'other', model: null } as const;
    expect(after(passed({ fallbackAgent }), reviewFailed(1, 'usage-limited')).next).toMatchObject({ kind: 'wait' });
  });

  test('keeps the gates that passed, whatever happens to the reviewer', () => {
    const { state, next } = after(passed(), reviewFailed(1, 'network'), waited(1_000));
    expect(next).toEqual({ kind: 'review', again: true });
    expect(state.pending?.gates?.results).toEqual([plainGate()]);
  });

  test('that reports no cost ends a run with a budget of it, but only where another round would come', () => {
    const ceilings = { maxRounds: 10, budgets: { ...noBudgets, maxCostUsd: 100 } };
    const loop = passed({}, { ceilings });
    expect(after(loop, silent(reviewed(1, reject))).next).toMatchObject({
      ending: { status: 'round-failed', fault: { code: 'usage-unknown' } },
    });
    expect(after(loop, silent(reviewed(1, accept))).next).toMatchObject({ ending: { status: 'complete' } });
  });
});

test('an agent that reports no cost is remembered until its claim is rejected', () => {
  const ceilings = { maxRounds: 10, budgets: { ...noBudgets, maxCostUsd: 100 } };
  const { request, ready } = loopOf({ gates });
  const { state } = advance(request, { ...ready, baseline: [], ceilings }, reported(1, complete, { costUsd: null }));
  expect(after({ request, state }, gatesRan(1, [red])).next).toMatchObject({
    ending: { status: 'round-failed', fault: { code: 'usage-unknown' } },
  });
});

test('the claim of a run before is no round of this one: its rejection is handed on, and round 1 begins', () => {
  const { request, state } = claimed({ gates });
  const inherited = { ...state, rounds: 0, spent: { ...state.spent, round: { timeMs: 0, tokens: 0, costUsd: 0 } } };
  const { state: next, next: then } = after({ request, state: inherited }, gatesRan(0, [red]));
  expect(then).toEqual({ kind: 'attempt' });
  expect(next).toMatchObject({ rounds: 0, handoffSource: 'rejected-claim', spent: { recent: [] } });
});

test('a round that goes on after a rejection begins the count of rejections anew', () => {
  const { state } = after(claimed({ gates }), gatesRan(1, [red]), reported(2, goOn('2')));
  expect(state.stall.rejections).toBe(0);
});
