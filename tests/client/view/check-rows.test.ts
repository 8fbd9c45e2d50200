import { gatesOutcome, rejectionOf, reviewOutcome } from '../../../client/view/check-rows.ts';
import { strictGates, type GateCheck, type GateResult } from '../../../schemas/verification/gate.ts';
import type { FinishedReview } from '../../../schemas/verification/review.ts';
import { AT, plainGate, plainReceipt } from '../../support/records.ts';
import { checkRow } from '../../support/run-view.ts';

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
const strict = { policy: strictGates, baseline: null };
const allowing = (baseline: GateResult[]) => ({ policy: { ...strictGates, allowRedBaseline: true }, baseline });

test('the gates before round 1 reject nothing, and each is told as it was', () => {
  const outcome = gatesOutcome(check(0, [gate('lint', 0), gate('npm test', 1)]), strict, true);
  expect(outcome).toMatchObject({ kind: 'baseline', gates: [{ result: 'passed' }, { result: 'failed' }] });
  const red = [gate('npm test', 1)];
  expect(gatesOutcome(check(0, red), allowing(red), true)).toMatchObject({ gates: [{ result: 'failed' }] });
});

test('round 0 of a run that verifies the claim of the run before is no baseline', () => {
  expect(gatesOutcome(check(0, [gate('npm test', 1)], ['tests/a']), strict, false)).toMatchObject({
    kind: 'rejected',
    reasons: ['it changed protected paths: tests/a', 'gate "npm test" ended with exit code 1'],
  });
});

test('a claim that a gate rejects names the gate and how it ended', () => {
  expect(gatesOutcome(check(2, [gate('lint', 0), gate('npm test', 1)]), strict, false)).toMatchObject({
    kind: 'rejected',
    reasons: ['gate "npm test" ended with exit code 1'],
  });
  expect(gatesOutcome(check(2, [gate('t', null, { timedOut: true })]), strict, false)).toMatchObject({
    reasons: ['gate "t" did not end within 2s'],
  });
  expect(gatesOutcome(check(2, [gate('lint', 0)]), strict, false)).toMatchObject({ kind: 'accepted' });
});

test('a gate that fails as before is excused only where the run allows it', () => {
  const baseline = [gate('npm test', 1)];
  expect(gatesOutcome(check(2, [gate('npm test', 1)]), allowing(baseline), false)).toMatchObject({
    kind: 'accepted',
    gates: [{ result: 'excused' }],
  });
  expect(gatesOutcome(check(2, [gate('npm test', 2)]), allowing(baseline), false).kind).toBe('rejected');
  expect(gatesOutcome(check(2, [gate('npm test', 1)]), { ...strict, baseline }, false).kind).toBe('rejected');
});

test('protected paths that were changed reject a claim, and are named', () => {
  expect(gatesOutcome(check(2, [gate('lint', 0)], ['tests/a.js']), strict, false)).toMatchObject({
    kind: 'rejected',
    reasons: ['it changed protected paths: tests/a.js'],
  });
});

test('a setup or a gate that changed what it may not is told so, not by its exit code', () => {
  const changed = { ...gate('npm ci', 0), isSetup: true, changed: ['tests/a.js'] };
  expect(gatesOutcome(check(2, [changed]), strict, false)).toMatchObject({
    reasons: ['setup "npm ci" changed files that it must not change: tests/a.js'],
  });
});

test('a review is told with its reasons, and the last rejection of a round is the one that counts', () => {
  const rejected: FinishedReview = {
    kind: 'reviewed',
    round: 2,
    attempt: 1,
    commit: 'c',
    startedAt: AT,
    endedAt: AT,
    agentMs: 1,
    usage: null,
    costUsd: null,
    costEstimated: false,
    sandbox: { level: 'read-only', network: true, readable: [], mechanism: 'bubblewrap' },
    receipt: plainReceipt(),
    review: { decision: 'reject', reasons: ['no test covers it'] },
  };
  const outcome = reviewOutcome(rejected);
  expect(outcome).toEqual({ kind: 'rejected', reasons: ['no test covers it'], gates: [] });
  const passed = checkRow({ outcome: { kind: 'accepted', gates: [] } });
  expect(rejectionOf([passed, checkRow({ check: 'review', outcome })], 2)).toEqual(['no test covers it']);
  expect(rejectionOf([passed, checkRow({ check: 'review', outcome })], 3)).toBeNull();
  expect(rejectionOf([passed], 2)).toBeNull();
});
