import { GateTrace, isExcused, passes, strictGates } from '../../schemas/verification/gate.ts';

/** As it was kept before `isSetup` and `changed` were. */
const kept = { command: 'npm test', exitCode: 1, timedOut: false, outputHash: 'a' };
const trace = (more: Partial<GateTrace> = {}): GateTrace => GateTrace.parse({ ...kept, ...more });
const allowed = { ...strictGates, allowRedBaseline: true };
const excused = (more: Partial<GateTrace>, before = trace(more)): boolean => isExcused(trace(more), allowed, [before]);

test('a gate is excused that fails as it did before round 1, where the run allows it', () => {
  expect(excused({})).toBe(true);
  expect(excused({}, trace({ outputHash: 'b' }))).toBe(false);
  expect(isExcused(trace(), strictGates, [trace()])).toBe(false);
  expect(isExcused(trace(), allowed, null)).toBe(false);
});

test('never excused: what did not come to its end, a setup, and what changed what it may not', () => {
  expect(excused({ exitCode: null, timedOut: true })).toBe(false);
  expect(excused({ isSetup: true })).toBe(false);
  expect(excused({ isSetup: true }, trace())).toBe(false);
  expect(excused({ changed: ['tests/a.js'] })).toBe(false);
});

test('a gate that changed what it may not does not pass, whatever its exit code', () => {
  expect(passes(trace({ exitCode: 0 }))).toBe(true);
  expect(passes(trace({ exitCode: 0, changed: ['tests/a.js'] }))).toBe(false);
});
