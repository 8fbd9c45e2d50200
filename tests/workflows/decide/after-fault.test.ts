import { type Fault, FaultCode } from '../../../schemas/round/fault.ts';
import { emptyTally } from '../../../schemas/loop/state.ts';
import { Limits } from '../../../schemas/run/run.ts';
import { advance } from '../../../workflows/decide/advance.ts';
import { decideAfterFault, type AfterFault } from '../../../workflows/decide/after-fault.ts';
import { backoffMs, MAX_TRANSIENT_FAULTS } from '../../../workflows/decide/fault-policy.ts';
import { failed, fault as plainFault, loopOf, noCeilings } from '../../support/loop-events.ts';

const at = '2026-01-01T00:00:00.000Z';
const now = Date.parse(at);
const limits = Limits.parse({ maxRounds: 3 });
const context = { limits, now, random: 1, fallback: 'none', ownUntil: null, isRepeated: false } as const;

const fault = (code: FaultCode, resetAt: string | null = null) => plainFault(code, { resetAt });

/** At which fault in a row the round has failed. */
const failsAt: [FaultCode, number][] = [
  ['agent-crashed', limits.roundAttempts],
  ['round-timeout', limits.roundAttempts],
  ['idle-timeout', limits.roundAttempts],
  ['report-missing', limits.reportAttempts],
  ['report-invalid', limits.reportAttempts],
  ['report-oversized', limits.reportAttempts],
  ['model-overloaded', MAX_TRANSIENT_FAULTS],
  ['network', MAX_TRANSIENT_FAULTS],
  ['disk-full', MAX_TRANSIENT_FAULTS],
  ['machine-short', MAX_TRANSIENT_FAULTS],
  ['rate-limited', Infinity],
  ['usage-limited', Infinity],
  ['bad-credentials', 1],
  ['no-credit', 1],
  ['refusal', 1],
  ['context-too-long', 1],
  ['agent-unavailable', 1],
  ['setup-failed', 1],
  ['workspace-broken', 1],
  ['disposal-unproved', 1],
  ['engine-error', 1],
  ['budget-spent', 1],
  ['usage-unknown', 1],
];

const faultsUntilFail = (code: FaultCode, most: number): number => {
  let tally = emptyTally;
  for (let n = 1; n <= most; n++) {
    const next: AfterFault = decideAfterFault(fault(code), { ...context, tally });
    if (next.kind === 'fail') return n;
    tally = next.tally;
  }
  return Infinity;
};

describe('after a fault', () => {
  test.each(failsAt)('%s fails the round at fault number %d', (code, expected) => {
    expect(faultsUntilFail(code, MAX_TRANSIENT_FAULTS + 50)).toBe(expected);
  });

  test('every fault code stands in the table above', () => {
    expect(failsAt.map(([code]) => code).toSorted()).toEqual(FaultCode.options.toSorted());
  });

  test('a broken report is named to the next agent; a crash is not', () => {
    const refused = decideAfterFault(fault('report-invalid'), { ...context, tally: emptyTally });
    expect(refused).toMatchObject({ kind: 'attempt-again', whyRejected: 'm report-invalid', delayMs: 0 });
    const crashed = decideAfterFault(fault('agent-crashed'), { ...context, tally: emptyTally });
    expect(crashed).toMatchObject({ kind: 'attempt-again', whyRejected: null });
  });

  test('reports and crashes are counted apart', () => {
    let tally = emptyTally;
    for (const code of ['agent-crashed', 'report-invalid', 'agent-crashed'] as const) {
      const next = decideAfterFault(fault(code), { ...context, tally });
      if (next.kind === 'fail') throw new Error(`failed at ${code}`);
      tally = next.tally;
    }
    expect(decideAfterFault(fault('report-invalid'), { ...context, tally }).kind).toBe('fail');
  });

  test('a limit waits until its stated reset and a margin, even where that lies hours ahead', () => {
    const resetAt = new Date(now + 5 * 3_600_000).toISOString();
    const next = decideAfterFault(fault('usage-limited', resetAt), { ...context, tally: emptyTally });
    expect(next).toMatchObject({ delayMs: 5 * 3_600_000 + 5_000 });
  });

  test('a reset that lies years ahead was misread: it is waited for eight days at a time', () => {
    const next = decideAfterFault(fault('usage-limited', '2031-01-01T00:00:00.000Z'), {
      ...context,
      tally: emptyTally,
    });
    expect(next).toMatchObject({ delayMs: 8 * 24 * 3_600_000 });
  });

  test('a reset that has passed waits the margin only', () => {
    const next = decideAfterFault(fault('rate-limited', at), { ...context, tally: emptyTally, now: now + 60_000 });
    expect(next).toMatchObject({ delayMs: 5_000 });
  });

  test('backoff doubles to its cap and never beyond', () => {
    expect([1, 2, 3, 9, 500].map((n) => backoffMs({ firstMs: 5_000, mostMs: 600_000 }, n, 1))).toEqual([
      5_000, 10_000, 20_000, 600_000, 600_000,
    ]);
    expect(backoffMs({ firstMs: 5_000, mostMs: 600_000 }, 2, 0)).toBe(5_000);
  });

  test('an agent that is limited or down gives way to the fallback agent at once, and no other fault does', () => {
    const taking = FaultCode.options.filter((code) => {
      const next = decideAfterFault(fault(code), { ...context, tally: emptyTally, fallback: 'idle' });
      return next.kind === 'attempt-again' && next.fallback && next.delayMs === 0;
    });
    expect(taking).toEqual(['model-overloaded', 'rate-limited', 'usage-limited', 'no-credit']);
  });

  test('where the fallback agent is limited as well, whichever is free first is asked', () => {
    const later = new Date(now + 5 * 3_600_000).toISOString();
    const soon = new Date(now + 60_000).toISOString();
    const standIn = { ...context, tally: emptyTally, fallback: 'at-work' } as const;
    const both = decideAfterFault(fault('usage-limited', later), { ...standIn, ownUntil: soon });
    expect(both).toMatchObject({ delayMs: 65_000, fallback: false });
    const unknown = decideAfterFault(fault('usage-limited', later), standIn);
    expect(unknown).toMatchObject({ delayMs: 3_600_000, fallback: false });
  });

  test('what the fallback agent cannot do ends no run whose own agent only has to wait', () => {
    const until = new Date(now + 60_000).toISOString();
    const standIn = { ...context, tally: emptyTally, fallback: 'at-work', ownUntil: until } as const;
    expect(decideAfterFault(fault('no-credit'), standIn)).toMatchObject({ delayMs: 65_000, fallback: false });
    expect(decideAfterFault(fault('workspace-broken'), standIn).kind).toBe('fail');
    expect(decideAfterFault(fault('no-credit'), { ...standIn, fallback: 'none' }).kind).toBe('fail');
  });

  test('a limit that is said again when it should be over is asked ever more rarely', () => {
    const tally = { ...emptyTally, inARow: 4, lastCharge: 'limit' } as const;
    expect(decideAfterFault(fault('usage-limited', at), { ...context, tally })).toMatchObject({ delayMs: 960_000 });
  });
});

const rejected = (message: string, more: Partial<Fault> = {}): Fault =>
  plainFault('agent-crashed', { message, status: 422, ...more });
const afterBoth = (first: Fault | FaultCode, second: Fault): string => {
  const { request, ready } = loopOf({ limits: { roundAttempts: 10 } });
  const { state } = advance(request, ready, failed(1, first, { number: 1 }));
  const { next } = advance(request, state, failed(1, second, { number: 2 }));
  return next.kind === 'end' ? next.ending.status : next.kind;
};

describe('a fault in the loop', () => {
  test('that comes three times with the same words stalls the run; one that passes by itself never does', () => {
    const { request, ready } = loopOf({ limits: { roundAttempts: 10 } });
    let state = ready;
    for (const number of [1, 2]) ({ state } = advance(request, state, failed(1, 'agent-crashed', { number })));
    expect(advance(request, state, failed(1, 'agent-crashed', { number: 3 })).next).toMatchObject({
      kind: 'end',
      ending: { status: 'stalled', cause: 'same-fault' },
    });
    state = ready;
    for (const number of [1, 2, 3, 4]) ({ state } = advance(request, state, failed(1, 'network', { number })));
    expect(state.stall.fault).toBeNull();
  });

  test('is not waited for longer than the budget of waits allows, and the reason names the fault', () => {
    const { request, ready } = loopOf();
    const ceilings = { ...noCeilings, budgets: { ...noCeilings.budgets, maxWaitMs: 1_000 } };
    const { state, next } = advance(request, { ...ready, ceilings }, failed(1, 'network'));
    expect(next).toMatchObject({ kind: 'end', ending: { status: 'budget-limited', budget: 'wait' } });
    expect(JSON.stringify(next)).toContain('for network: m network');
    expect(state.faults.afterAttempt).toBe(1);
  });

  test('that is the same rejection by the server twice in a row, whatever the id of the request, ends the run and says so', () => {
    const { request, ready } = loopOf({ limits: { roundAttempts: 10 } });
    const first = rejected('bad field, request id: req_011CVa8GqvVFRh');
    const { state } = advance(request, ready, failed(1, first, { number: 1 }));
    const second = rejected('bad field, request id: req_022DWb9HrwWGSi');
    expect(advance(request, state, failed(1, second, { number: 2 })).next).toMatchObject({
      kind: 'end',
      ending: { status: 'round-failed', attempts: 2, fault: { message: expect.stringContaining('rejected two') } },
    });
  });

  test.each([
    ['other words', rejected('bad field'), rejected('bad value')],
    ['another status', rejected('bad field'), rejected('bad field', { status: 400 })],
    ['no status', 'agent-crashed', plainFault('agent-crashed')],
    ['408', rejected('slow', { status: 408 }), rejected('slow', { status: 408 })],
    ['425', rejected('early', { status: 425 }), rejected('early', { status: 425 })],
    ['429', rejected('often', { status: 429 }), rejected('often', { status: 429 })],
    ['a server error', rejected('oops', { status: 500 }), rejected('oops', { status: 500 })],
    ['a time', rejected('later', { resetAt: at }), rejected('later', { resetAt: at })],
    ['a limit', rejected('limit', { code: 'usage-limited' }), rejected('limit', { code: 'usage-limited' })],
  ] as const)('that comes twice with %s is attempted again', (_what, first, second) => {
    expect(afterBoth(first, second)).toBe('wait');
  });

  test('that is a rejection does not count as repeated if another fault came in between', () => {
    const { request, ready } = loopOf({ limits: { roundAttempts: 10 } });
    let { state } = advance(request, ready, failed(1, rejected('bad field'), { number: 1 }));
    ({ state } = advance(request, state, failed(1, 'network', { number: 2 })));
    expect(advance(request, state, failed(1, rejected('bad field'), { number: 3 })).next.kind).toBe('wait');
  });
});
