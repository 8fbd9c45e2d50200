import { strictGates } from '../../../schemas/verification/gate.ts';
import type { UnreleasedEnding, Verification } from '../../../schemas/run/result.ts';
import { commands, description, end, ended, spend, stopped, USED, usedUp } from '../../support/description.ts';
import { checkRow, claims, endedBy, faulty, REJECTED, roundRow, whole } from '../../support/run-view.ts';
import { attemptsText } from '../../../client/describe/evidence.ts';

const claim = roundRow({ round: 2, outcome: claims(), summary: 'all moved' });
const gates = [{ command: 'npm test', timeoutMs: 1 }];
const report = { status: 'complete', summary: 'all moved', evidence: ['npm test passes'], nextSteps: [], blocker: '' };
const complete = (verification: Verification, excusedGates: string[] = []): UnreleasedEnding => ({
  status: 'complete',
  ...end,
  verification,
  excusedGates,
  report: { ...report, status: 'complete', nextSteps: [], blocker: '' },
  finalText: null,
});

test('complete: who says so, the agent’s evidence and the checks, and how to take it over', () => {
  const accepted = checkRow({ outcome: { kind: 'accepted', gates: [] } });
  const told = ended(complete('gates-passed'), { checks: [accepted], request: whole({ gates }) });
  expect(told.headline).toBe('complete: 1 gate passed on a clean checkout');
  expect(told.said).toEqual(['all moved']);
  expect(told.evidence).toEqual(['npm test passes', 'gates of round 2: passed', `It used ${USED}.`]);
  expect(commands(told)).toEqual(['ralph diff r', 'git merge ralph/r']);
});

const two = ['npm run lint', 'npm test'].map((command) => ({ command, timeoutMs: 1 }));
const reviewer = { provider: 'codex', command: null, model: 'gpt-5' } as const;
const completed = (
  verification: Verification,
  {
    gates: checkedBy = two,
    inPlace = false,
    excused = [],
  }: { gates?: typeof two; inPlace?: boolean; excused?: string[] },
): string =>
  ended(complete(verification, excused), {
    request: whole({ gates: checkedBy, gatePolicy: { ...strictGates, inPlace }, reviewer }),
  }).headline;

test.each([
  ['complete, as the agent reports; no gate checked it', completed('agent-reported', { gates: [] })],
  ['complete: 2 gates passed on a clean checkout', completed('gates-passed', {})],
  ['complete: 2 gates passed in the workspace', completed('gates-passed', { inPlace: true })],
  [
    'complete, although 1 of 2 gates still fails as before round 1: "npm test"',
    completed('gates-as-before', { excused: ['npm test'] }),
  ],
  [
    'complete: 2 gates passed on a clean checkout, and codex (gpt-5) reviewed and accepted it',
    completed('reviewed', {}),
  ],
  ['complete: codex (gpt-5) reviewed and accepted it; no gate checked it', completed('reviewed', { gates: [] })],
])('%s', (expected, text) => {
  expect(text).toBe(expected);
});

test('blocked: by what, in which round, and the command that takes the answer', () => {
  const blocked = { status: 'blocked', summary: 's', evidence: [], nextSteps: [], blocker: 'no key for the registry' };
  const told = ended({ status: 'blocked', ...end, report: { ...blocked, status: 'blocked' }, finalText: null });
  expect(told.headline).toBe('blocked: no key for the registry');
  expect(told.said).toEqual(['round 1 reported: s']);
  expect(told.evidence).toEqual([`It used ${USED}.`]);
  expect(commands(told)[0]).toBe('ralph resume r --note "…"');
});

test('budget-limited: which budget, what was used of each, the last rejected claim, what is left to do', () => {
  const told = ended(
    { ...usedUp, budget: 'cost', reason: '$1.50 of $1.00 are used' },
    {
      ceilings: { maxRounds: 4, budgets: { maxTimeMs: null, maxTokens: null, maxCostUsd: 1, maxWaitMs: null } },
      checks: [checkRow()],
    },
  );
  expect(told.headline).toBe('out of budget (cost): $1.50 of $1.00 are used');
  expect(told.evidence).toEqual(expect.arrayContaining(['Cost: $1.50 of $1.00', REJECTED, 'still to do: the rest']));
  expect(commands(told)[0]).toBe('ralph resume r');
});

test('stalled: the rounds that changed nothing, or the claims that were rejected', () => {
  const empty = roundRow({ round: 3, changes: { files: 0, insertions: 0, deletions: 0 }, summary: 'looked around' });
  const rounds = [roundRow({ round: 2 }), empty];
  const unchanged = { status: 'stalled', ...end, cause: 'unchanged-tree', reason: '3 rounds', handoff: null } as const;
  expect(ended(unchanged, { rounds }).evidence[0]).toBe('round 3: continue: looked around (no changes)');
  const same = { ...unchanged, cause: 'same-gate-failure', reason: 'gate "npm test" failed 5 times' } as const;
  const told = ended(same, { rounds, checks: [checkRow()] });
  expect(told.headline).toBe('stalled: gate "npm test" failed 5 times');
  expect(told.evidence[0]).toBe(REJECTED);
});

test('round-failed: the fault in plain words and in its own, and what to correct', () => {
  const fault = { code: 'bad-credentials', message: '401 invalid x-api-key', resetAt: null } as const;
  const told = ended({ status: 'round-failed', round: 4, attempts: 1, fault, handoff: null });
  expect(told.headline).toBe('failed in round 4 after 1 attempt: the key or login of the agent is rejected');
  expect(told.said).toEqual(['bad-credentials: 401 invalid x-api-key']);
  expect(told.evidence[0]).toContain('$RALPH_HOME/env');
  expect(commands(told)).toEqual(['ralph log r --round 4', 'ralph show r --round 4', 'ralph resume r']);
});

test('what a failed round printed is named if anything was', () => {
  const fault = { code: 'report-invalid', message: 'summary is missing', resetAt: null } as const;
  const ending = { status: 'round-failed', round: 1, attempts: 2, fault, handoff: null } as const;
  const silent = ended(ending, {}, { printed: false });
  expect(silent.evidence).toContain('Nothing was printed.');
  expect(commands(silent).join()).not.toContain('ralph log');
});

test('a check that could not be completed is named, not its round', () => {
  const fault = { code: 'rate-limited', message: '429', resetAt: null } as const;
  const failed = checkRow({ check: 'review', outcome: { kind: 'failed', reason: 'rate-limited: 429' } });
  const told = ended({ status: 'round-failed', round: 2, attempts: 3, fault, handoff: null }, { checks: [failed] });
  expect(told.headline).toMatch(
    /^failed: the review of round 2 could not be completed in 3 attempts: the model rejects/,
  );
});

test('of a review that breaks its contract the reviewer is named, and what shows its output', () => {
  const fault = { code: 'report-invalid', message: 'decision is missing', resetAt: null } as const;
  const ending = { status: 'round-failed', round: 2, attempts: 2, fault, handoff: null } as const;
  const review = checkRow({ check: 'review', number: 2, outcome: { kind: 'failed', reason: 'report-invalid: …' } });
  const told = ended(ending, { checks: [review] });
  expect(told.headline).toBe(
    "failed: the review of round 2 could not be completed in 2 attempts: the reviewer's review breaks its contract, so the work was not reviewed",
  );
  expect(told.next[0]).toEqual({ command: 'ralph log r --round 2 --review', what: 'show what the reviewer printed' });
  expect(ended(ending).headline).toBe("failed in round 2 after 2 attempts: the agent's report breaks its contract");
});

test('attempts that were ended from outside are told apart from those that a round is allowed', () => {
  const of = { round: 1, attempts: 4, kind: null };
  const rounds = [roundRow({ attempts: 4, interrupted: 1, outcome: faulty('agent-crashed') })];
  expect(attemptsText({ rounds, checks: [] }, of)).toBe('4 attempts, 1 of them interrupted');
  expect(attemptsText({ rounds: [roundRow()], checks: [] }, of)).toBe('4 attempts');
  const cut = { kind: 'interrupted' } as const;
  const checks = [
    checkRow({ round: 0, outcome: cut }),
    checkRow({ outcome: cut }),
    checkRow({ check: 'review', outcome: cut }),
  ];
  expect(attemptsText({ rounds: [], checks }, { round: 2, attempts: 3, kind: 'review' })).toBe(
    '3 attempts, 1 of them interrupted',
  );
});

test('stopped, cancelled, terminated and unknown are told as they are', () => {
  const told = ended(stopped);
  expect(told.headline).toBe('stopped after round 1, as requested');
  expect(commands(told)[0]).toBe('ralph resume r');
  const unchecked = ended({ ...stopped, handoff: null }, { rounds: [roundRow({ outcome: claims() })] });
  expect(unchecked.evidence[0]).toMatch(/^Round 1 claims completion\. .* did not finish\.$/);
  expect(ended({ status: 'cancelled', reason: 'too slow' }).headline).toBe('cancelled: too slow');
  expect(description({ phase: endedBy({ kind: 'terminated' }) }).headline).toMatch(/^terminated from outside/);
  const unknown = description({
    phase: { kind: 'unknown', why: 'temporal-unreachable' },
    notes: ['No Temporal server is running.'],
  });
  expect(unknown.headline).toMatch(/^unknown: Temporal cannot be asked/);
  expect(unknown.evidence).toEqual(['No Temporal server is running.']);
  expect(commands(unknown)[0]).toBe('ralph up');
});

test.each([
  { status: 'cancelled', reason: null },
  { status: 'stopped', ...end, handoff: null },
  {
    status: 'round-failed',
    round: 2,
    attempts: 1,
    handoff: null,
    fault: { code: 'network', message: '', resetAt: null },
  },
] as const satisfies UnreleasedEnding[])('a run that ended as $status with a pending claim says so', (ending) => {
  const { evidence } = ended(ending, { rounds: [claim], request: whole({ gates }) });
  expect(evidence.join('\n')).toMatch(/^Round 2 claims completion\. The verification of that claim did not finish\.$/m);
  expect(evidence.join()).not.toMatch(/complete\b/);
});

test('a stop says what it ended: a round that had ended, none, or one whose attempts had all failed', () => {
  const before = { ...stopped, rounds: 0, handoff: null } as const;
  expect(ended(before, { rounds: [] }).headline).toBe('stopped before round 1, as requested');
  const crashed = roundRow({ attempts: 3, outcome: faulty('agent-crashed'), summary: 'exit code 7' });
  const told = ended(before, { rounds: [crashed] });
  expect(told.headline).toBe('stopped during round 1, as requested');
  expect(told.evidence[0]).toBe('round 1, 3 attempts: agent-crashed: exit code 7');
});

test('work that is not on the branch is said to be elsewhere, why, and what takes it over', () => {
  const ref = 'refs/ralph-runs/r';
  const at = { kind: 'ref', ref, branch: 'ralph/r', commit: 'c' } as const;
  const why = `Branch ralph/r is checked out in /w; the run is at ${ref}.`;
  expect(ended({ ...stopped, handoff: null }, { work: { ...at, why } }).evidence[0]).toBe(why);
  const limited = ended({ ...usedUp }, { work: { ...at, why: null } });
  expect(limited.evidence[0]).toBe(`The work is at ${ref}, because ralph/r could not be moved.`);
  expect(commands(limited)).toContain(`git merge ${ref}`);
});

test('of a run whose repository was moved it is said where the commits are, and how to get them', () => {
  const repository = '/h/runs/r/repository.git';
  const why = 'Repository /srv/widgets is not there any more.';
  const told = ended(stopped, { work: { kind: 'engine', repository, commit: 'c'.repeat(40), why } });
  expect(told.evidence[0]).toBe(
    `${why} The commits are in ${repository}. To get them, run \`git fetch ${repository} checkpoint\` in a repository that you can write to.`,
  );
  expect(commands(told).join()).not.toContain('git merge');
});

test('a budget that was gone before round 1: what took it, and nothing of rounds or work that are not there', () => {
  const told = ended(
    { ...usedUp, budget: 'time', rounds: 0 },
    { rounds: [], request: whole({ setup: 'npm ci', gates }) },
  );
  expect(told.evidence[0]).toBe('No round began: its setup and its gates before round 1 used up the budget.');
  expect(commands(told).join()).not.toContain('git merge');
  expect(told.next).toContainEqual({ command: 'ralph show r', what: 'show what is known of the run' });
});

test('a round that was interrupted is told in words', () => {
  const cut = roundRow({ round: 3, outcome: { kind: 'interrupted', by: 'worker-stopped' } });
  const cancelled = ended({ status: 'cancelled', reason: null }, { rounds: [cut] });
  expect(cancelled.evidence[0]).toBe('round 3: interrupted, because its worker was stopped');
});

test('where only Temporal tells how a run ended, its one line is told', () => {
  const told = description({ phase: endedBy({ kind: 'brief', status: 'stalled', why: '3 rounds' }), spend });
  expect([told.headline, told.said]).toEqual(['stalled', ['3 rounds']]);
});
