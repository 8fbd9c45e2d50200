import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { handoffAfter } from '../../client/resume/handoff-after.ts';
import { openClaim } from '../../client/resume/open-claim.ts';
import { userNote } from '../../client/start/user-note.ts';
import { checkReport } from '../../schemas/round/check-report.ts';
import { strictGates, type GateResult } from '../../schemas/verification/gate.ts';
import { type HandedOn, nothingHandedOn } from '../../schemas/round/handed-on.ts';
import type { Handoff, Report } from '../../schemas/round/report.ts';
import type { RunRequest } from '../../schemas/run/run.ts';
import { attemptPaths, runPaths } from '../../workspaces/records/run-paths.ts';
import { plainPredecessor, wholeRequest } from '../support/plain-request.ts';
import { done, goOn } from '../support/scripted-agent.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { AT, plainGate, plainReceipt } from '../support/records.ts';

const paths = runPaths(tempFolder('handoff-after'), 'r');
afterEach(() => rmSync(paths.root, { recursive: true, force: true }));

const common = {
  startedAt: AT,
  endedAt: AT,
  agentMs: 1,
  usage: null,
  costUsd: null,
  costEstimated: false,
  sandbox: { level: 'workspace-write', network: true, readable: [], mechanism: 'bubblewrap' },
  receipt: plainReceipt(),
};

function write(file: string, value: unknown): void {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify(value));
}

function reported(round: number, attempt: number, report: Report, commit: string | null = null): void {
  const { outcome } = attemptPaths(paths, round, attempt);
  const changes = { files: 1, insertions: 1, deletions: 0 };
  const checkpoint = commit === null ? null : { commit, base: commit, changes, ref: null, notes: [] };
  write(outcome, { kind: 'reported', round, attempt, ...common, checkpoint, report, finalText: null });
}

function failed(round: number, attempt: number): void {
  const { outcome } = attemptPaths(paths, round, attempt);
  const fault = { code: 'round-timeout', message: 'too long', resetAt: null };
  write(outcome, { kind: 'failed', round, attempt, ...common, checkpoint: null, fault });
}

const gate = (exitCode: number, output: string): GateResult => plainGate({ exitCode, output, outputHash: output });

function checked(round: number, check: number, gates: GateResult[], protectedPaths: string[] = []): void {
  const file = path.join(paths.rounds, String(round), `gates-${check}`, 'check.json');
  write(file, { kind: 'checked', round, check, commit: 'c', gates, protectedPaths, startedAt: AT, endedAt: AT });
}

function reviewed(round: number, attempt: number, review: unknown): void {
  const file = path.join(paths.rounds, String(round), `review-${attempt}`, 'outcome.json');
  write(file, { kind: 'reviewed', round, attempt, ...common, review });
}

const blocked = (blocker: string): Report => ({
  status: 'blocked',
  summary: 'stuck',
  evidence: ['tried'],
  nextSteps: ['then the rest'],
  blocker,
});

const own = (handoff: Handoff): HandedOn => ({ handoff, handoffSource: 'report', userNotes: [] });
const stepsAfter = async (more: Partial<RunRequest> = {}): Promise<readonly string[]> =>
  (await handoffAfter(paths, wholeRequest(more), 1)).handoff?.nextSteps ?? [];

test('a report that goes on is handed on as it is', async () => {
  reported(1, 1, goOn('first'));
  reported(2, 1, goOn('second', ['a', 'b']));
  expect(await handoffAfter(paths, wholeRequest(), 2)).toEqual(own(goOn('second', ['a', 'b'])));
  expect(await handoffAfter(paths, wholeRequest(), 1)).toEqual(own(goOn('first')));
});

test('a round without a report hands on what it was given, at last what the run before handed on', async () => {
  reported(1, 1, goOn('first'));
  failed(2, 1);
  failed(2, 2);
  expect(await handoffAfter(paths, wholeRequest(), 2)).toEqual(own(goOn('first')));
  expect(await handoffAfter(paths, wholeRequest(), 0)).toEqual(nothingHandedOn);
  const before: HandedOn = {
    handoff: goOn('of the run before'),
    handoffSource: 'refused-claim',
    userNotes: ['mind the gap'],
  };
  const predecessor = { ...plainPredecessor('q', 'a'.repeat(40)), ...before };
  expect(await handoffAfter(paths, wholeRequest({ predecessor }), 0)).toEqual(before);
  // What the user said to a round is said once that has reported.
  expect(await handoffAfter(paths, wholeRequest({ predecessor }), 2)).toEqual(own(goOn('first')));
});

test('a blocker becomes the first step: to confirm that it no longer blocks', async () => {
  reported(1, 1, blocked('no key for the registry'));
  expect(await handoffAfter(paths, wholeRequest(), 1)).toEqual({
    handoff: {
      status: 'continue',
      summary: 'stuck',
      evidence: ['tried'],
      nextSteps: ['Confirm first that this no longer blocks: no key for the registry', 'then the rest'],
      blocker: '',
    },
    handoffSource: 'blocker',
    userNotes: [],
  });
});

test('a claim that the last check refused hands on why; one that the gates let stand and nobody refused does not', async () => {
  reported(1, 1, done('all done'));
  checked(1, 1, [gate(0, 'fine')]);
  checked(1, 10, [gate(1, '3 tests fail')], ['package.json']);
  expect(await handoffAfter(paths, wholeRequest(), 1)).toMatchObject({ handoffSource: 'refused-claim' });
  expect(await stepsAfter()).toEqual([
    expect.stringMatching(/protected paths.*package\.json/),
    expect.stringMatching(/"npm test" pass[^]*exit code 1[^]*3 tests fail/),
  ]);
  checked(1, 11, [gate(0, 'fine')]);
  expect(await handoffAfter(paths, wholeRequest(), 1)).toMatchObject({ handoffSource: 'unrefused-claim' });
});

test('a gate that may fail as it did before round 1 refuses nothing', async () => {
  reported(1, 1, done('all done'));
  checked(0, 1, [gate(1, 'red')]);
  checked(1, 1, [gate(1, 'red')]);
  const lenient = { inPlace: false, allowRedBaseline: true, protect: [] };
  expect((await stepsAfter({ gatePolicy: lenient }))[0]).not.toMatch(/npm test/);
  expect((await stepsAfter())[0]).toMatch(/npm test/);
});

test("a reviewer's last word counts: its reasons are handed on", async () => {
  reported(1, 1, done('all done'));
  checked(1, 1, [gate(0, 'fine')]);
  reviewed(1, 1, { decision: 'reject', reasons: ['the docs are missing'] });
  expect(await stepsAfter()).toEqual(['A reviewer refused the claim of completion: the docs are missing']);
  reviewed(1, 2, { decision: 'accept', reasons: [] });
  expect((await stepsAfter())[0]).toMatch(/the engine's check accepted it/);
});

test.each([[600], [1_000], [4_000]])('what does not fit into %s characters is shortened with a mark', async (most) => {
  const report = {
    ...blocked(`key\u{1f511} "missing"\n`.repeat(900).trim()),
    evidence: Array(40).fill('e'.repeat(99)),
  };
  reported(1, 1, report);
  const limits = { ...wholeRequest().limits, maxHandoffChars: most };
  const { handoff } = await handoffAfter(paths, wholeRequest({ limits }), 1);
  expect(checkReport(handoff, most)).toMatchObject({ ok: true });
  expect(handoff?.nextSteps[0]).toMatch(
    /^Confirm first that this no longer blocks: key[^]*\[cut: \d+ characters in all\]$/,
  );
});

test('what is said of a claim that nothing refused is how far its check came', async () => {
  const gated = { gates: [{ command: 'npm test', timeoutMs: 1 }], gatePolicy: strictGates };
  const reviewer: RunRequest['reviewer'] = { provider: 'command', command: 'judge', model: null };
  reported(1, 1, done('all done'));
  expect((await stepsAfter({ ...gated, reviewer }))[0]).toMatch(/has not checked it to its end/);
  checked(1, 1, [gate(0, 'fine')]);
  expect((await stepsAfter({ ...gated, reviewer }))[0]).toMatch(
    /gates passed on it, but the reviewer .*did not come to/,
  );
  expect((await stepsAfter(gated))[0]).toMatch(/check accepted it, but the run was taken back/);
});

test('a claim is open until a check refuses it, of the very commit that is gone on from', async () => {
  const commit = 'c'.repeat(40);
  const open = { runId: 'q', round: 3, report: done('all done') };
  const asked = { gates: [{ command: 'npm test', timeoutMs: 1 }] };
  const inheriting = { ...asked, predecessor: { ...plainPredecessor('q', commit), baseline: [], claim: open } };
  const openOf = (more: Partial<RunRequest>, round: number, at = commit) =>
    openClaim({ paths, request: wholeRequest(more) }, { round, commit: at });
  // Of the run before, as long as none of its own has reported.
  failed(1, 1);
  expect(await openOf(inheriting, 1)).toEqual(open);
  expect(await openOf(inheriting, 1, 'd'.repeat(40))).toBeNull();
  expect(await openOf({ ...asked, predecessor: { ...inheriting.predecessor, baseline: null } }, 1)).toBeNull();
  checked(0, 1, [gate(1, 'red')]);
  expect(await openOf(inheriting, 1)).toBeNull();
  expect(await handoffAfter(paths, wholeRequest(inheriting), 1)).toMatchObject({
    handoffSource: 'refused-claim',
    handoff: { summary: 'all done', nextSteps: [expect.stringMatching(/npm test/)] },
  });
  // Of its own.
  reported(2, 1, done('there'), commit);
  expect(await openOf(asked, 2)).toEqual({ runId: 'r', round: 2, report: done('there') });
  expect(await openOf(asked, 2, 'd'.repeat(40))).toBeNull();
  checked(2, 1, [gate(1, 'red')]);
  expect(await openOf(asked, 2)).toBeNull();
  reported(3, 1, goOn('more'), commit);
  expect(await openOf(asked, 3)).toBeNull();
});

test('a note is taken whole, without outer white space; one that is too long is refused, and so is one that says nothing', () => {
  expect(userNote(` two\nlines\n`)).toBe('two\nlines');
  expect(userNote('x'.repeat(4_096))).toHaveLength(4_096);
  expect(() => userNote('x'.repeat(4_097))).toThrow(/has 4,097 characters\. The limit is 4,096/);
  expect(() => userNote(' \n')).toThrow(/--note is empty/);
});
