import { rollbackRows } from '../../../cli/text/chain-rows.ts';
import { nextCommands, runEnd } from '../../../cli/pages/run-end.ts';
import { palette } from '../../../cli/terminal/palette.ts';
import type { CheckRow } from '../../../client/view/round-view.ts';
import type { RunView } from '../../../client/view/run-view.ts';
import type { ResumeAdvice } from '../../../client/resume/resume-advice.ts';
import { end, resumable, usedUp } from '../../support/description.ts';
import { checkRow, noChain, recorded, rollback, rolledBack, roundRow, runView, whole } from '../../support/run-view.ts';

const row = roundRow({ outcome: { kind: 'blocked' } });
const report = { status: 'blocked', summary: 's', evidence: [], nextSteps: [], blocker: 'no key' } as const;
const phase = recorded({
  status: 'blocked',
  ...end,
  report: { ...report, evidence: [], nextSteps: [] },
  finalText: null,
});
const blocked = runView({ phase, rounds: [row] });
const done = { status: 'complete', summary: 's', evidence: ['e'], nextSteps: [], blocker: '' } as const;
const complete = recorded({
  status: 'complete',
  ...end,
  verification: 'agent-reported',
  excusedGates: [],
  report: { ...done, evidence: ['e'], nextSteps: [] },
  finalText: null,
});
const none: ResumeAdvice = { kind: 'none', notes: [] };
const commands = (run: RunView, advice = resumable): string[] =>
  nextCommands(run, advice).map(({ command }) => command);
const printed = (run: RunView): string[] => runEnd(run, { advice: resumable, paint: palette(false) });
const merge = 'git merge ralph/r';

test('a run that is not complete is continued first, and its merge says that it is unfinished', () => {
  expect(commands(blocked).slice(-2)).toEqual(['ralph resume r --note "…"', merge]);
  expect(nextCommands(blocked, resumable).at(-1)?.what).toMatch(/unfinished/);
  expect(nextCommands({ ...blocked, phase: complete }, none).at(-1)).toEqual({
    command: merge,
    what: 'merge its work',
  });
});

const shown = (more: Partial<CheckRow>) => commands({ ...blocked, checks: [checkRow({ round: 1, ...more })] });

test('where its last claim was rejected, or could not be verified, what the check printed is one command away', () => {
  expect(shown({})).toContain('ralph log r --round 1 --gates');
  expect(shown({ check: 'review', outcome: { kind: 'failed', reason: 'f' } })).toContain(
    'ralph log r --round 1 --review',
  );
  expect(shown({ outcome: { kind: 'accepted', gates: [] } }).join()).not.toContain('--gates');
});

test('a run without any change has nothing to merge and no diff', () => {
  const unchanged = { ...row, changes: { files: 0, insertions: 0, deletions: 0 } };
  expect(commands({ ...blocked, rounds: [unchanged] })).toEqual([
    'ralph show r',
    'ralph show r --round 1',
    'ralph log r',
    'ralph resume r --note "…"',
  ]);
});

test('a run whose setup failed says so, and leads to no round that is not there', () => {
  const fault = { code: 'setup-failed', message: 'setup "npm ci" exits 1', resetAt: null } as const;
  const run: RunView = {
    ...blocked,
    request: whole({ setup: 'npm ci' }),
    phase: recorded({ status: 'round-failed', round: 0, attempts: 1, fault, handoff: null }),
    rounds: [],
    work: { kind: 'not-made', branch: 'ralph/r' },
  };
  expect(printed(run).slice(0, 2)).toEqual([
    'r: failed before round 1: the setup command failed (0 rounds in 1s)',
    '  setup-failed: setup "npm ci" exits 1',
  ]);
  expect(commands(run)).toEqual(['ralph show r', 'ralph log r', 'ralph resume r']);
});

test('of a run that ended before round 1 the command for what was printed has the gates, too', () => {
  const cut = checkRow({ round: 0, outcome: { kind: 'interrupted' } });
  const run = { ...blocked, phase: recorded({ status: 'cancelled', reason: null }), rounds: [], checks: [cut] };
  expect(commands(run)).toContain('ralph log r --round 0');
});

const resumed = (run: Partial<RunView>, advice = resumable): boolean =>
  commands({ ...blocked, ...run }, advice).some((command) => command.startsWith('ralph resume r'));

test('what was continued already, or is complete, is not to be resumed; a complete run that was rolled back is', () => {
  expect(resumed({})).toBe(true);
  const last = { runId: 'r-2', status: 'complete' } as const;
  expect(resumed({ chain: { ...noChain, continued: { kind: 'continued', as: ['r-2'], last } } })).toBe(false);
  expect(resumed({ phase: complete }, none)).toBe(false);
  expect(resumed({ phase: complete, rollback: rolledBack(0) })).toBe(true);
});

test('a run that was rolled back says so in place of what its void rounds came to, and its merge is unfinished', () => {
  const run: RunView = { ...blocked, rounds: [], rollback: rolledBack(0, [row]) };
  expect(printed(run).slice(0, 2)).toEqual([
    'r: rolled back to its beginning: later rounds no longer count, but their usage does (1 round in 1s)',
    '  Before that: blocked: no key',
  ]);
  const inForce = rollback({ commit: 'b'.repeat(40), abandoned: 'b'.repeat(40) });
  const idle: RunView = { ...blocked, rounds: [], rollback: { kind: 'done', inForce, all: [inForce], rounds: [] } };
  expect(printed(idle)[0]).toMatch(/its beginning: nothing came after it \(0 rounds in 1s\)$/);
  expect(rollbackRows(idle)).toEqual([['Rolled back', 'to its beginning; nothing came after it']]);
  expect(nextCommands({ ...blocked, phase: complete, rollback: rolledBack(1) }, resumable).at(-1)?.what).toMatch(
    /unfinished/,
  );
});

test('a run that is out of a budget is continued, and its merge is unfinished', () => {
  const limited: RunView = { ...blocked, phase: recorded(usedUp) };
  expect(commands(limited)).toContain('ralph resume r');
  expect(nextCommands(limited, resumable).at(-1)?.what).toMatch(/unfinished/);
});

test('a fault that quotes a stack is cut, and work at a hidden ref is merged from there', () => {
  const fault = { code: 'agent-crashed', message: `it ended: ${'at x.js '.repeat(80)}`, resetAt: null } as const;
  const run: RunView = {
    ...blocked,
    phase: recorded({ status: 'round-failed', round: 1, attempts: 3, fault, handoff: null }),
    work: { kind: 'ref', ref: 'refs/ralph-runs/r', branch: 'ralph/r', commit: 'c', why: null },
  };
  expect(printed(run)[1]?.length).toBeLessThan(300);
  expect(commands(run)).toContain('git merge refs/ralph-runs/r');
});

test('of a run whose repository was moved its end says where the commits are', () => {
  const work = { kind: 'engine', repository: '/h/repository.git', commit: 'c', why: 'It is gone.' } as const;
  expect(printed({ ...blocked, work }).join('\n')).toContain('git fetch /h/repository.git checkpoint');
});
