import type { Fault } from '../../schemas/round/fault.ts';
import type { GateTrace } from '../../schemas/verification/gate.ts';
import { noLoss, StopLoss } from '../../schemas/loop/loop.ts';
import { Limits } from '../../schemas/run/run.ts';
import { endOfRound, noteChange, noteContinue, noteFault, noteRefusal } from '../../workflows/stop-loss.ts';

const limits = Limits.parse({});

/** The round at which rounds that change the tree, or not, are called a stall. */
function stallsAt(changes: readonly boolean[], stallRounds: number): number | null {
  let loss = noLoss;
  for (const [index, changed] of changes.entries()) {
    const after = endOfRound(noteChange(loss, changed), { ...limits, stallRounds });
    if (after.stall !== null) return index + 1;
    ({ loss } = after);
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
  const { loss } = endOfRound(noteChange(noteChange(noLoss, true), false), limits);
  expect(loss.unchangedRounds).toBe(0);
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
const refusals = (gates: readonly (GateTrace | null)[], maxRejections: number) => {
  let loss: StopLoss = noLoss;
  for (const [index, each] of gates.entries()) {
    const after = noteRefusal(loss, each, { ...limits, maxRejections });
    if (after.stall !== null) return { at: index + 1, cause: after.stall.cause };
    ({ loss } = after);
  }
  return null;
};

test('one gate that fails with one output five times stalls, before a higher limit of refusals does', () => {
  expect(
    refusals(
      Array.from({ length: 9 }, () => gate()),
      8,
    ),
  ).toEqual({ at: 5, cause: 'same-gate-failure' });
});

test('a gate whose output differs is no such failure: it ends by the limit of refusals', () => {
  const differing = Array.from({ length: 9 }, (_, index) => gate({ outputHash: String(index) }));
  expect(refusals(differing, 8)).toEqual({ at: 8, cause: 'claims-refused' });
  expect(refusals(differing, 2)).toEqual({ at: 2, cause: 'claims-refused' });
});

test('a reviewer that rejects in between breaks the row of the gate, not of the refusals', () => {
  const four = Array.from({ length: 4 }, () => gate());
  expect(refusals([...four, null, ...four], 20)).toBeNull();
  expect(refusals([...four, null], 5)).toEqual({ at: 5, cause: 'claims-refused' });
});

test('what is remembered of a refusal is what crosses a continue-as-new, and no more', () => {
  const result = { ...gate(), ms: 1, output: 'x', receipt: {} };
  expect(StopLoss.safeParse(noteRefusal(noLoss, result, limits).loss).error).toBeUndefined();
});

test('a round that goes on without a claim begins the row of refusals anew', () => {
  expect(noteContinue({ ...noLoss, rejections: 4 }).rejections).toBe(0);
});

const fault = (message: string, code: Fault['code'] = 'agent-crashed'): Fault => ({ code, message, resetAt: null });

const after = (...faults: Fault[]) => faults.reduce((loss, each) => noteFault(loss, each).loss, noLoss);

test('the same fault three times in a row stalls; another one, or a report, begins the row anew', () => {
  expect(noteFault(after(fault('x'), fault('x')), fault('x')).stall).toMatchObject({ cause: 'same-fault' });
  expect(noteFault(after(fault('x'), fault('y')), fault('x')).stall).toBeNull();
  expect(noteFault(after(fault('x'), fault('x')), fault('x', 'idle-timeout')).stall).toBeNull();
  expect(endOfRound(after(fault('x'), fault('x')), limits).loss.fault).toBeNull();
});

test('a gate that exits 0 and changes files again and again is not said to fail', () => {
  const stamps = gate({ exitCode: 0, changed: ['src/stamp.js'] });
  let loss = noLoss;
  for (let times = 1; times < 5; times += 1) ({ loss } = noteRefusal(loss, stamps, { ...limits, maxRejections: 9 }));
  expect(noteRefusal(loss, stamps, { ...limits, maxRejections: 9 }).stall).toEqual({
    cause: 'same-gate-failure',
    reason: 'gate "npm test" changed what it may not 5 times in a row: src/stamp.js',
  });
});
