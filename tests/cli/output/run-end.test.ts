import { rollbackRows } from '../../../cli/text/line-text.ts';
import type { CheckLine, RunView } from '../../../client/view/run-view.ts';
import { nextCommands, runEnd } from '../../../cli/pages/run-end.ts';
import { palette } from '../../../cli/terminal/palette.ts';
import type { WayOn } from '../../../client/resume/way-on.ts';
import { roundRow, runView } from '../support/run-view.ts';
import { goesOn } from '../support/why.ts';

const row = roundRow({ status: 'blocked' });
const blocked = runView({ status: 'blocked', endedAt: row.endedAt, setup: 'npm ci', rounds: [row] });
const nowhere: WayOn = { kind: 'none', notes: [] };
const commands = (run: RunView): string[] =>
  nextCommands(run, run.status === 'complete' && run.rollback === null ? nowhere : goesOn).map(([command]) => command);
const merge = 'git merge ralph/r';

test('a run that is not complete is gone on from first, and its merge says that it is unfinished', () => {
  expect(commands(blocked).slice(-2)).toEqual(['ralph resume r', merge]);
  expect(nextCommands(blocked, goesOn).at(-1)?.[1]).toMatch(/unfinished/);
  expect(nextCommands({ ...blocked, status: 'complete' }, nowhere).at(-1)).toEqual([merge, 'take it over']);
});

test('where its last claim was refused, or could not be checked, what the check printed is one command away', () => {
  const check = {
    kind: 'gates',
    round: 1,
    claimOf: null,
    number: 1,
    reasons: [],
    gates: [],
    startedAt: null,
    endedAt: null,
  } as const;
  const shown = (more: Partial<CheckLine>) =>
    commands({ ...blocked, checks: [{ ...check, result: 'refused', ...more }] });
  expect(shown({})).toContain('ralph log r --round 1 --gates');
  expect(shown({ kind: 'review', result: 'failed' })).toContain('ralph log r --round 1 --review');
  expect(shown({ result: 'passed' }).join()).not.toContain('--gates');
});

test('a run without any change has nothing to merge and no diff', () => {
  const unchanged = { ...row, changes: { files: 0, insertions: 0, deletions: 0 } };
  expect(commands({ ...blocked, rounds: [unchanged] })).toEqual([
    'ralph show r',
    'ralph show r --round 1',
    'ralph log r',
    'ralph resume r',
  ]);
});

test('a run whose setup failed says so, and leads to no round that is not there', () => {
  const fault = { code: 'setup-failed', message: 'setup "npm ci" exits 1', resetAt: null } as const;
  const ending = { status: 'round-failed', round: 0, attempts: 1, fault, handoff: null } as const;
  const run: RunView = { ...blocked, status: 'round-failed', rounds: [], ref: null, ending };
  expect(runEnd(run, { way: goesOn, paint: palette(false) })[0]).toBe('r: its setup failed (0 rounds in 1s)');
  expect(nextCommands(run, goesOn)).toEqual([
    ['ralph show r', 'what is known of it'],
    ['ralph log r', 'what the setup printed'],
    ['ralph resume r', expect.stringContaining('go on from it')],
  ]);
});

const resumed = (run: Partial<RunView>): boolean => commands({ ...blocked, ...run }).includes('ralph resume r');

const back = {
  number: 1,
  to: 0,
  commit: 'c',
  abandoned: 'a',
  keptAt: 'refs/ralph-abandoned/r/1',
  kept: true,
  ref: null,
  notes: [],
  at: '2026-01-05T09:00:00.000Z',
  done: true,
};

test('what was resumed already, or is complete, is not to be resumed; a complete run that was rolled back is', () => {
  expect(resumed({})).toBe(true);
  expect(resumed({ successors: ['r-2'], lineEnd: { runId: 'r-2', status: 'complete' } })).toBe(false);
  expect(resumed({ status: 'complete' })).toBe(false);
  expect(resumed({ status: 'complete', rollback: back })).toBe(true);
});

test('a run that was rolled back says so in place of what its void rounds came to, and its merge is unfinished', () => {
  const rollback = { ...back, to: 0 };
  const run: RunView = { ...blocked, why: 'no key', rounds: [], rolledBack: [row], voidRounds: 1, rollback };
  expect(runEnd(run, { way: goesOn, paint: palette(false) }).slice(0, 2)).toEqual([
    'r: blocked: a person or the outside world must change something (1 round in 1s)',
    '  rolled back to where it began since: what came later is void, and used all the same',
  ]);
  const none = { ...rollback, commit: 'b'.repeat(40), abandoned: 'b'.repeat(40) };
  const idle: RunView = { ...blocked, rounds: [], rollback: none, rollbacks: [none] };
  expect(runEnd(idle, { way: goesOn, paint: palette(false) })[1]).toMatch(/since: nothing came after that$/);
  expect(rollbackRows(idle)).toEqual([['Rolled back', 'to where it began; nothing came after that']]);
  const complete: RunView = { ...blocked, status: 'complete', rollback: { ...back, to: 1 } };
  expect(nextCommands(complete, goesOn).at(-1)?.[1]).toMatch(/unfinished/);
});

test('a run that is out of a budget is gone on from with more of it: without, that is refused', () => {
  const ending = {
    status: 'budget-limited',
    budget: 'rounds',
    reason: '1 of 1 round is used',
    rounds: 1,
    commit: 'c',
    ref: null,
    handoff: null,
  } as const;
  const limited: RunView = { ...blocked, status: 'budget-limited', ending };
  expect(commands(limited)).toContain('ralph resume r');
  expect(nextCommands(limited, goesOn).at(-1)?.[1]).toMatch(/unfinished/);
});

test('a fault that quotes a stack is cut, and work at a hidden ref is merged from there', () => {
  const fault = { code: 'agent-crashed', message: `it ended: ${'at x.js '.repeat(80)}`, resetAt: null } as const;
  const ending = { status: 'round-failed', round: 1, attempts: 3, fault, handoff: null } as const;
  const run: RunView = { ...blocked, status: 'round-failed', ending, ref: 'refs/ralph-runs/r' };
  expect(runEnd(run, { way: goesOn, paint: palette(false) })[1]?.length).toBeLessThan(300);
  expect(commands(run)).toContain('git merge refs/ralph-runs/r');
});
