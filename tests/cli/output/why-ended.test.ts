import type { CheckLine } from '../../../client/view/run-view.ts';
import type { UnreleasedEnding } from '../../../schemas/run/result.ts';
import { roundRow } from '../support/run-view.ts';
import { commands, end, ended, last, REFUSED, refused, usedUp, why } from '../support/why.ts';

const claim = roundRow({ round: 2, status: 'complete', summary: 'all moved' });
const gates = [{ command: 'npm test', timeoutMs: 1 }];

test('complete: who says so, the agent’s evidence and the checks, and how to take it over', () => {
  const report = {
    status: 'complete',
    summary: 'all moved',
    evidence: ['npm test passes'],
    nextSteps: [],
    blocker: '',
  };
  const said = ended(
    {
      status: 'complete',
      ...end,
      verification: 'gates-passed',
      excusedGates: [],
      report: { ...report, status: 'complete', nextSteps: [], blocker: '' },
      finalText: null,
    },
    { checks: [{ ...refused, result: 'passed', reasons: [] }], gates: [{ command: 'npm test', timeoutMs: 1 }] },
  );
  expect(said.why).toMatch(/^It is complete: 1 gate passed/);
  expect(said.evidence).toEqual([
    'all moved',
    'npm test passes',
    'gates of round 2: passed',
    'It used 10m of work, 12.0k tokens, cost $1.50.',
  ]);
  expect(commands(said)).toEqual(['ralph diff r', 'git merge ralph/r']);
});

test('blocked: by what, and the command that takes the answer', () => {
  const report = { status: 'blocked', summary: 's', evidence: [], nextSteps: [], blocker: 'no key for the registry' };
  const said = ended({ status: 'blocked', ...end, report: { ...report, status: 'blocked' }, finalText: null });
  expect(said.why).toBe('It is blocked: no key for the registry');
  expect(commands(said)[0]).toBe('ralph resume r --note "…"');
});

test('budget-limited: which budget, what was used of each, the last refused claim, what is left to do', () => {
  const said = ended(
    { status: 'budget-limited', ...end, budget: 'cost', reason: '$1.50 of $1.00 are used', handoff: last },
    { budgets: { maxTimeMs: null, maxTokens: null, maxCostUsd: 1, maxWaitMs: null }, checks: [refused] },
  );
  expect(said.why).toBe('Its budget is used up (cost): $1.50 of $1.00 are used.');
  expect(said.evidence).toEqual(expect.arrayContaining(['Cost    $1.50 of $1.00', REFUSED, 'still to do: the rest']));
  expect(commands(said)[0]).toBe('ralph resume r');
});

test('stalled: the rounds that changed nothing, or the claims that were refused', () => {
  const empty = roundRow({ round: 3, changes: { files: 0, insertions: 0, deletions: 0 }, summary: 'looked around' });
  const rounds = [roundRow({ round: 2 }), empty];
  const unchanged = { status: 'stalled', ...end, cause: 'unchanged-tree', reason: '3 rounds', handoff: null } as const;
  expect(ended(unchanged, { rounds }).evidence[0]).toBe('round 3: continue: looked around (no changes)');
  const same = { ...unchanged, cause: 'same-gate-failure', reason: 'gate "npm test" failed 5 times' } as const;
  const said = ended(same, { rounds, checks: [refused] });
  expect(said.why).toBe('It got nowhere: gate "npm test" failed 5 times.');
  expect(said.evidence[0]).toBe(REFUSED);
});

test('round-failed: the fault in plain words and in its own, and what to mend', () => {
  const fault = { code: 'bad-credentials', message: '401 invalid x-api-key', resetAt: null } as const;
  const said = ended({ status: 'round-failed', round: 4, attempts: 1, fault, handoff: null });
  expect(said.why).toBe('Round 4 failed after 1 attempt: the key or login of the agent is refused.');
  expect(said.evidence.slice(0, 2)).toEqual([
    'bad-credentials: 401 invalid x-api-key',
    expect.stringContaining('$RALPH_HOME/env'),
  ]);
  expect(commands(said)).toEqual(['ralph log r --round 4', 'ralph show r --round 4', 'ralph resume r']);
});

test('what a failed round printed is named where anything was', () => {
  const fault = { code: 'report-invalid', message: 'summary is missing', resetAt: null } as const;
  const ending = { status: 'round-failed', round: 1, attempts: 2, fault, handoff: null } as const;
  const silent = ended(ending, {}, { printed: false });
  expect(silent.evidence).toContain('Nothing was printed.');
  expect(commands(silent).join()).not.toContain('ralph log');
});

test('a check that could not be done is told as that, not as its round', () => {
  const fault = { code: 'rate-limited', message: '429', resetAt: null } as const;
  const failed: CheckLine = { ...refused, kind: 'review', result: 'failed', reasons: ['rate-limited: 429'] };
  const said = ended({ status: 'round-failed', round: 2, attempts: 3, fault, handoff: null }, { checks: [failed] });
  expect(said.why).toMatch(/^The review of round 2 could not be done in 3 attempts: the model lets the agent/);
});

test('stopped, cancelled, terminated and unknown are told as they are', () => {
  expect(ended({ status: 'stopped', ...end, handoff: last })).toMatchObject({
    why: 'It was stopped after round 1, as somebody asked for it.',
    next: [['ralph resume r', expect.anything()], expect.anything()],
  });
  const unchecked = ended({ status: 'stopped', ...end, handoff: null }, { rounds: [roundRow({ status: 'complete' })] });
  expect(unchecked.evidence[0]).toBe('Round 1 claims completion, and that was not checked to its end.');
  expect(ended({ status: 'cancelled', reason: 'too slow' }).why).toBe('It was cancelled: too slow.');
  expect(why({ status: 'terminated' }).why).toMatch(/terminated it from outside/);
  const unknown = why({ status: 'unknown', notes: ['No Temporal server is running.'] });
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
] as const satisfies UnreleasedEnding[])('a run that ended as $status with a claim unjudged says so', (ending) => {
  const { evidence } = ended(ending, { rounds: [claim], gates });
  expect(evidence).toContain('Round 2 claims completion, and that was not checked to its end.');
  expect(evidence.join()).not.toMatch(/complete\b/);
});

test('a stop says what it met: a round that had ended, none, or one whose attempts had all failed', () => {
  const stopped = { status: 'stopped', ...end, rounds: 0, handoff: null } as const;
  expect(ended(stopped, { rounds: [] }).why).toBe('It was stopped before round 1, as somebody asked for it.');
  const crashed = roundRow({ attempts: 3, status: 'agent-crashed', summary: 'exit code 7' });
  const said = ended(stopped, { rounds: [crashed] });
  expect(said.why).toBe('It was stopped in round 1, which had not ended, as somebody asked for it.');
  expect(said.evidence[0]).toBe('round 1, 3 attempts: agent-crashed: exit code 7');
});

test('work that is not on the branch is said to be elsewhere, why, and what takes it over', () => {
  const ref = 'refs/ralph-runs/r';
  const note = `Branch ralph/r is checked out in /w; the run is at ${ref}.`;
  const said = ended({ status: 'stopped', ...end, handoff: null }, { ref, notes: [note] });
  expect(said.evidence[0]).toBe(note);
  const limited = ended({ ...usedUp }, { ref });
  expect(limited.evidence[0]).toBe(`The work is at ${ref}, as ralph/r could not be moved.`);
  expect(commands(limited)).toContain(`git merge ${ref}`);
});

test('a budget that was gone before round 1: what took it, and nothing of rounds or work that are not there', () => {
  const said = ended({ ...usedUp, budget: 'time', rounds: 0 }, { rounds: [], setup: 'npm ci', gates });
  expect(said.evidence[0]).toBe('No round began: what comes before round 1 (its setup and its gates) took all of it.');
  expect(commands(said).join()).not.toContain('git merge');
  expect(said.next).toContainEqual(['ralph show r', 'what is known of it']);
});

test('a round that was cut short is told in words, and a blocked run says in which round and what it used', () => {
  const cut = roundRow({ round: 3, status: 'worker-stopped' });
  const cancelled = ended({ status: 'cancelled', reason: null }, { rounds: [cut] });
  expect(cancelled.evidence[0]).toBe('round 3: cut short, as its worker was stopped');
  const report = { status: 'blocked', summary: 's', evidence: [], nextSteps: [], blocker: 'b' } as const;
  const blocked = ended({
    status: 'blocked',
    ...end,
    report: { ...report, evidence: [], nextSteps: [] },
    finalText: null,
  });
  expect(blocked.evidence).toEqual(['round 1 says: s', 'It used 10m of work, 12.0k tokens, cost $1.50.']);
});
