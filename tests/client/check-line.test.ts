import { gatesLine, reviewLine } from '../../client/view/check-line.ts';
import { refusalOf } from '../../client/view/checks-on-disk.ts';
import type { CheckLine } from '../../client/view/run-view.ts';
import { strictGates, type GateCheck, type GateResult } from '../../schemas/verification/gate.ts';
import type { FinishedReview } from '../../schemas/verification/review.ts';
import { AT, plainGate, plainReceipt } from '../support/records.ts';

const gate = (command: string, exitCode: number | null, more: Partial<GateResult> = {}): GateResult =>
  plainGate({ command, exitCode, outputHash: `hash of ${command}`, ms: 2_000, ...more });
const check = (round: number, gates: GateResult[], protectedPaths: string[] = []): GateCheck => ({
  kind: 'checked',
  round,
  check: 1,
  commit: 'c',
  gates,
  protectedPaths,
  startedAt: AT,
  endedAt: AT,
});
const strict = { policy: strictGates, baseline: null, inherited: false };

test('the gates before round 1 refuse nothing, and each is told as it was', () => {
  const line = gatesLine(check(0, [gate('lint', 0), gate('npm test', 1)]), strict);
  expect(line).toMatchObject({ result: 'baseline', reasons: [] });
  expect(line.gates.map(({ result }) => result)).toEqual(['passed', 'failed']);
  const red = [gate('npm test', 1)];
  const allowing = { policy: { ...strictGates, allowRedBaseline: true }, baseline: red, inherited: false };
  expect(gatesLine(check(0, red), allowing).gates).toMatchObject([{ result: 'failed' }]);
});

test('round 0 of a run that checks the claim of the run before is no baseline', () => {
  const red = check(0, [gate('npm test', 1)], ['tests/a']);
  expect(gatesLine(red, { ...strict, inherited: true })).toMatchObject({
    result: 'refused',
    reasons: ['it changed protected paths: tests/a', 'gate "npm test" ended with exit code 1'],
  });
});

test('a claim that a gate refuses names the gate and how it ended', () => {
  const refused = gatesLine(check(2, [gate('lint', 0), gate('npm test', 1)]), strict);
  expect(refused).toMatchObject({ result: 'refused', reasons: ['gate "npm test" ended with exit code 1'] });
  expect(gatesLine(check(2, [gate('t', null, { timedOut: true })]), strict).reasons).toEqual([
    'gate "t" did not end within 2s',
  ]);
  expect(gatesLine(check(2, [gate('lint', 0)]), strict)).toMatchObject({ result: 'passed', reasons: [] });
});

test('a gate that fails as before is excused only where the run allows it', () => {
  const baseline = [gate('npm test', 1)];
  const allowing = { policy: { ...strictGates, allowRedBaseline: true }, baseline, inherited: false };
  expect(gatesLine(check(2, [gate('npm test', 1)]), allowing)).toMatchObject({
    result: 'passed',
    gates: [{ result: 'excused' }],
  });
  expect(gatesLine(check(2, [gate('npm test', 2)]), allowing).result).toBe('refused');
  expect(gatesLine(check(2, [gate('npm test', 1)]), { ...strict, baseline }).result).toBe('refused');
});

test('protected paths that were changed refuse a claim, and are named', () => {
  expect(gatesLine(check(2, [gate('lint', 0)], ['tests/a.js']), strict)).toMatchObject({
    result: 'refused',
    reasons: ['it changed protected paths: tests/a.js'],
  });
});

test('a setup or a gate that changed what it may not is told so, not by its exit code', () => {
  const changed = { ...gate('npm ci', 0), isSetup: true, changed: ['tests/a.js'] };
  expect(gatesLine(check(2, [changed]), strict)).toMatchObject({
    result: 'refused',
    reasons: ['setup "npm ci" changed what it may not: tests/a.js'],
  });
});

test('a review is told with its reasons, and the last refusal of a round is the one that counts', () => {
  const told = {
    round: 2,
    attempt: 1,
    commit: 'c',
    startedAt: AT,
    endedAt: AT,
    agentMs: 1,
    usage: null,
    costUsd: null,
  };
  const rejected: FinishedReview = {
    kind: 'reviewed',
    ...told,
    costEstimated: false,
    sandbox: { level: 'read-only', network: true, readable: [], mechanism: 'bubblewrap' },
    receipt: plainReceipt(),
    review: { decision: 'reject', reasons: ['no test covers it'] },
  };
  const line = reviewLine(rejected);
  expect(line).toMatchObject({ result: 'refused', reasons: ['no test covers it'] });
  const passed: CheckLine = {
    kind: 'gates',
    round: 2,
    claimOf: null,
    number: 1,
    ...gatesLine(check(2, [gate('x', 0)]), strict),
  };
  const review: CheckLine = { kind: 'review', round: 2, claimOf: null, number: 1, ...line };
  expect(refusalOf([passed, review], 2)).toBe('no test covers it');
  expect(refusalOf([passed, review], 3)).toBeNull();
  expect(refusalOf([passed, { ...review, result: 'accepted' }], 2)).toBeNull();
});
