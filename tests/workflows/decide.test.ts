import { boundText } from '../../schemas/bound-text.ts';
import { FaultCode } from '../../schemas/fault.ts';
import { emptyTally, noFaults } from '../../schemas/loop.ts';
import type { Report } from '../../schemas/report.ts';
import type { ReportedAttempt } from '../../schemas/round.ts';
import { Limits } from '../../schemas/run.ts';
import { decideAfterFault, type AfterFault } from '../../workflows/decide-after-fault.ts';
import { decideAfterReport } from '../../workflows/decide-after-report.ts';
import { backoffMs, MAX_PASSING_FAULTS } from '../../workflows/fault-policy.ts';

const at = '2026-01-01T00:00:00.000Z';
const now = Date.parse(at);
const limits = Limits.parse({ maxRounds: 3 });
const attempt = (report: Report, finalText: string | null = null): ReportedAttempt => ({
  kind: 'reported',
  round: 3,
  attempt: 1,
  startedAt: at,
  endedAt: at,
  agentMs: 1,
  usage: null,
  costUsd: null,
  sandbox: { level: 'workspace-write', network: true, readable: [], mechanism: 'bubblewrap' },
  checkpoint: null,
  receipt: {
    cause: 'finished',
    mechanism: 'bubblewrap',
    proof: 'namespace-gone',
    signals: [],
    killed: [],
    killedUnlisted: 0,
    left: [],
    ms: 1,
    at,
    host: 'h',
    commit: null,
  },
  report,
  finalText,
});
const goOn: Report = { status: 'continue', summary: 's', evidence: [], nextSteps: ['n'], blocker: '' };
const done: Report = { status: 'complete', summary: 's', evidence: ['e'], nextSteps: [], blocker: '' };
const stuck: Report = { status: 'blocked', summary: 's', evidence: [], nextSteps: [], blocker: 'b' };
const after = (rounds: number) => ({ rounds, handoff: null, commit: 'c', ref: 'r', faults: noFaults });

const fault = (code: FaultCode, resetAt: string | null = null) => ({ code, message: `m ${code}`, resetAt });

describe('after a report', () => {
  test('"continue" with rounds left hands the report on', () => {
    expect(decideAfterReport(after(2), attempt(goOn), limits)).toEqual({ kind: 'next-round', handoff: goOn });
  });

  test('"continue" in the last round is budget-limited and carries the last report', () => {
    expect(decideAfterReport(after(3), attempt(goOn), limits)).toEqual({
      kind: 'end',
      result: { status: 'budget-limited', budget: 'rounds', rounds: 3, commit: 'c', ref: 'r', handoff: goOn },
    });
  });

  test('completion in the last allowed round is complete, and called what it is: a claim of the worker', () => {
    expect(decideAfterReport(after(3), attempt(done), limits)).toMatchObject({
      kind: 'end',
      result: { status: 'complete', verification: 'worker-reported', rounds: 3, report: done },
    });
  });

  test('a blocker ends the run', () => {
    expect(decideAfterReport(after(1), attempt(stuck), limits)).toMatchObject({
      kind: 'end',
      result: { status: 'blocked', report: stuck },
    });
  });

  test('the final text is bounded with a visible mark', () => {
    const end = decideAfterReport(after(1), attempt(done, 'y'.repeat(20_000)), limits);
    if (end.kind !== 'end' || end.result.status !== 'complete') throw new Error('expected complete');
    expect(end.result.finalText).toHaveLength(16_384);
    expect(end.result.finalText).toMatch(/\[cut: 20000 characters in all\]$/);
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
];

const faultsUntilFail = (code: FaultCode, most: number): number => {
  let tally = emptyTally;
  for (let n = 1; n <= most; n++) {
    const next: AfterFault = decideAfterFault(fault(code), { tally, limits, now });
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
    const refused = decideAfterFault(fault('report-invalid'), { tally: emptyTally, limits, now });
    expect(refused).toMatchObject({ kind: 'attempt-again', refusal: 'm report-invalid', delayMs: 0 });
    const crashed = decideAfterFault(fault('agent-crashed'), { tally: emptyTally, limits, now });
    expect(crashed).toMatchObject({ kind: 'attempt-again', refusal: null });
  });

  test('reports and crashes are counted apart', () => {
    let tally = emptyTally;
    for (const code of ['agent-crashed', 'report-invalid', 'agent-crashed'] as const) {
      const next = decideAfterFault(fault(code), { tally, limits, now });
      if (next.kind === 'fail') throw new Error(`failed at ${code}`);
      tally = next.tally;
    }
    expect(decideAfterFault(fault('report-invalid'), { tally, limits, now }).kind).toBe('fail');
  });

  test('a limit waits until its stated reset and a margin, even where that lies hours ahead', () => {
    const resetAt = new Date(now + 5 * 3_600_000).toISOString();
    const next = decideAfterFault(fault('usage-limited', resetAt), { tally: emptyTally, limits, now });
    expect(next).toMatchObject({ delayMs: 5 * 3_600_000 + 5_000 });
  });

  test('a reset that lies years ahead was misread: it is waited for eight days at a time', () => {
    const next = decideAfterFault(fault('usage-limited', '2031-01-01T00:00:00.000Z'), {
      tally: emptyTally,
      limits,
      now,
    });
    expect(next).toMatchObject({ delayMs: 8 * 24 * 3_600_000 });
  });

  test('a reset that has passed waits the margin only', () => {
    const next = decideAfterFault(fault('rate-limited', at), { tally: emptyTally, limits, now: now + 60_000 });
    expect(next).toMatchObject({ delayMs: 5_000 });
  });

  test('backoff doubles to its cap and never beyond', () => {
    expect([1, 2, 3, 9, 500].map((n) => backoffMs({ firstMs: 5_000, mostMs: 600_000 }, n))).toEqual([
      5_000, 10_000, 20_000, 600_000, 600_000,
    ]);
  });
});

test('a bounded text never ends in half a surrogate pair', () => {
  const cut = boundText('🙂'.repeat(100), 101);
  expect(Buffer.from(cut).toString()).toBe(cut);
  expect(cut.length).toBeLessThanOrEqual(101);
});
