import type { Fault } from '../../../schemas/round/fault.ts';
import type { GateTrace } from '../../../schemas/verification/gate.ts';
import { noStallCounters, StallCounters } from '../../../schemas/loop/stall.ts';
import { Limits } from '../../../schemas/run/run.ts';
import {
  endOfRound,
  noteChange,
  noteContinue,
  noteFault,
  noteRejection,
} from '../../../workflows/decide/stall-detection.ts';

const limits = Limits.parse({});

/** The round at which rounds that change the tree, or not, are called a stall. */
function stallsAt(changes: readonly boolean[], stallRounds: number): number | null {
  let counters: StallCounters = noStallCounters;
  for (const [index, changed] of changes.entries()) {
    const after = endOfRound(noteChange(counters, changed), { ...limits, stallRounds });
    if (after.stall !== null) return index + 1;
    ({ counters } = after);
  }
  return null;
}

test('rounds in a row that change nothing stall; one that does begins the count anew', () => {
  expect(stallsAt([false, false, false], 3)).toBe(3);
  expect(stallsAt([false, false, true, false, false, false], 3)).toBe(6);
  expect(stallsAt([false, false, true, false, false], 3)).toBeNull();
  expect(stallsAt([false, false, false, false], 0)).toBeNull();
});

test('an attempt that failed and changed the tree is progress of its round', () => {
  const { counters } = endOfRound(noteChange(noteChange(noStallCounters, true), false), limits);
  expect(counters.unchangedRounds).toBe(0);
});

const gate = (more: Partial<GateTrace> = {}): GateTrace => ({
  command: 'npm test',
  exitCode: 1,
  timedOut: false,
  outputHash: 'a',
  isSetup: false,
  changed: [],
  ...more,
});
const rejections = (gates: readonly (GateTrace | null)[], maxRejections: number) => {
  let counters: StallCounters = noStallCounters;
  for (const [index, each] of gates.entries()) {
    const after = noteRejection(counters, each, { ...limits, maxRejections });
    if (after.stall !== null) return { at: index + 1, cause: after.stall.cause };
    ({ counters } = after);
  }
  return null;
};

test('one gate that fails with one output five times stalls, before a higher limit of rejections does', () => {
  expect(
    rejections(
      Array.from({ length: 9 }, () => gate()),
      8,
    ),
  ).toEqual({ at: 5, cause: 'same-gate-failure' });
});

test('a gate whose output differs is no such failure: it ends by the limit of rejections', () => {
  const differing = Array.from({ length: 9 }, (_, index) => gate({ outputHash: String(index) }));
  expect(rejections(differing, 8)).toEqual({ at: 8, cause: 'claims-rejected' });
  expect(rejections(differing, 2)).toEqual({ at: 2, cause: 'claims-rejected' });
});

test('a reviewer that rejects in between breaks the row of the gate, not of the rejections', () => {
  const four = Array.from({ length: 4 }, () => gate());
  expect(rejections([...four, null, ...four], 20)).toBeNull();
  expect(rejections([...four, null], 5)).toEqual({ at: 5, cause: 'claims-rejected' });
});

test('what is remembered of a rejection is what crosses a continue-as-new, and no more', () => {
  const result = { ...gate(), ms: 1, output: 'x', receipt: {} };
  expect(StallCounters.safeParse(noteRejection(noStallCounters, result, limits).counters).error).toBeUndefined();
});

test('a round that ends without a completion claim begins the row of rejections anew', () => {
  expect(noteContinue({ ...noStallCounters, rejections: 4 }).rejections).toBe(0);
});

const fault = (message: string, code: Fault['code'] = 'agent-crashed'): Fault => ({ code, message, resetAt: null });

const after = (...faults: Fault[]) =>
  faults.reduce((counters, each) => noteFault(counters, each).counters, noStallCounters);

test('the same fault three times in a row stalls; another one, or a report, begins the row anew', () => {
  expect(noteFault(after(fault('x'), fault('x')), fault('x')).stall).toMatchObject({ cause: 'same-fault' });
  expect(noteFault(after(fault('x'), fault('y')), fault('x')).stall).toBeNull();
  expect(noteFault(after(fault('x'), fault('x')), fault('x', 'idle-timeout')).stall).toBeNull();
  expect(endOfRound(after(fault('x'), fault('x')), limits).counters.fault).toBeNull();
});

test('a gate that exits 0 and changes files again and again is not said to fail', () => {
  const stamps = gate({ exitCode: 0, changed: ['src/stamp.js'] });
  let counters: StallCounters = noStallCounters;
  for (let times = 1; times < 5; times += 1)
    ({ counters } = noteRejection(counters, stamps, { ...limits, maxRejections: 9 }));
  expect(noteRejection(counters, stamps, { ...limits, maxRejections: 9 }).stall).toEqual({
    cause: 'same-gate-failure',
    reason: 'gate "npm test" changed what it may not 5 times in a row: src/stamp.js',
  });
});
