import { boundText } from '../../schemas/text/bound-text.ts';
import { FaultCode } from '../../schemas/round/fault.ts';
import { beginning, emptyTally } from '../../schemas/loop/loop.ts';
import type { Report } from '../../schemas/round/report.ts';
import { Limits } from '../../schemas/run/run.ts';
import { decideAfterFault, type AfterFault } from '../../workflows/decide-after-fault.ts';
import { decideAfterReport } from '../../workflows/decide-after-report.ts';
import { backoffMs, MAX_PASSING_FAULTS } from '../../workflows/fault-policy.ts';

const at = '2026-01-01T00:00:00.000Z';
const now = Date.parse(at);
const limits = Limits.parse({ maxRounds: 3 });
const goOn: Report = { status: 'continue', summary: 's', evidence: [], nextSteps: ['n'], blocker: '' };
const done: Report = { status: 'complete', summary: 's', evidence: ['e'], nextSteps: [], blocker: '' };
const stuck: Report = { status: 'blocked', summary: 's', evidence: [], nextSteps: [], blocker: 'b' };
const after = (rounds: number) => ({ ...beginning('c', 'r'), rounds });
const how = { maxRounds: 3, finalText: null, stall: null };
const context = { limits, now, jitter: 1, fallback: 'none', ownUntil: null } as const;

const fault = (code: FaultCode, resetAt: string | null = null) => ({ code, message: `m ${code}`, resetAt });

describe('after a report', () => {
  test('"continue" with rounds left hands the report on', () => {
    expect(decideAfterReport(after(2), goOn, how)).toEqual({ kind: 'next-round', handoff: goOn });
  });

  test('"continue" in the last round is budget-limited and carries the last report', () => {
    expect(decideAfterReport(after(3), goOn, how)).toEqual({
      kind: 'end',
      result: {
        status: 'budget-limited',
        budget: 'rounds',
        reason: '3 of 3 rounds are used',
        rounds: 3,
        commit: 'c',
        ref: 'r',
        handoff: goOn,
      },
    });
  });

  test('completion in the last allowed round is a claim to be checked, not the end of the budget', () => {
    expect(decideAfterReport(after(3), done, how)).toEqual({ kind: 'claim', claim: done });
  });

  test('rounds that turn in place are stalled before they are out of budget', () => {
    const stall = { cause: 'unchanged-tree', reason: 'why' } as const;
    expect(decideAfterReport(after(3), goOn, { ...how, stall })).toMatchObject({
      kind: 'end',
      result: { status: 'stalled', cause: 'unchanged-tree', reason: 'why', handoff: goOn },
    });
  });

  test('a blocker ends the run', () => {
    expect(decideAfterReport(after(1), stuck, how)).toMatchObject({
      kind: 'end',
      result: { status: 'blocked', report: stuck },
    });
  });
});

/** At which fault in a row the round has failed. */
const failsAt: [FaultCode, number][] = [
  ['agent-crashed', limits.roundAttempts],
  ['round-timeout', limits.roundAttempts],
  ['idle-timeout', limits.roundAttempts],
  ['report-missing', limits.reportAttempts],
  ['report-invalid', limits.reportAttempts],
  ['report-oversized', limits.reportAttempts],
  ['model-overloaded', MAX_PASSING_FAULTS],
  ['network', MAX_PASSING_FAULTS],
  ['disk-full', MAX_PASSING_FAULTS],
  ['machine-short', MAX_PASSING_FAULTS],
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
    expect(faultsUntilFail(code, MAX_PASSING_FAULTS + 50)).toBe(expected);
  });

  test('every fault code stands in the table above', () => {
    expect(failsAt.map(([code]) => code).toSorted()).toEqual(FaultCode.options.toSorted());
  });

  test('a broken report is named to the next agent; a crash is not', () => {
    const refused = decideAfterFault(fault('report-invalid'), { ...context, tally: emptyTally });
    expect(refused).toMatchObject({ kind: 'attempt-again', refusal: 'm report-invalid', delayMs: 0 });
    const crashed = decideAfterFault(fault('agent-crashed'), { ...context, tally: emptyTally });
    expect(crashed).toMatchObject({ kind: 'attempt-again', refusal: null });
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

test('a bounded text never ends in half a surrogate pair', () => {
  const cut = boundText('🙂'.repeat(100), 101);
  expect(Buffer.from(cut).toString()).toBe(cut);
  expect(cut.length).toBeLessThanOrEqual(101);
});
