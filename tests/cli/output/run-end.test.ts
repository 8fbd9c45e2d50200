import type { RoundRow, RunView } from '../../../client/run-view.ts';
import { nextCommands, runEnd } from '../../../cli/output/run-end.ts';
import { palette } from '../../../cli/output/palette.ts';

const row: RoundRow = {
  round: 1,
  attempts: 1,
  status: 'blocked',
  startedAt: '2026-01-05T09:00:00.000Z',
  endedAt: '2026-01-05T09:00:01.000Z',
  durationMs: 1_000,
  usage: null,
  costUsd: null,
  commit: 'a'.repeat(40),
  changes: { files: 1, insertions: 1, deletions: 0 },
  summary: null,
  secrets: [],
};

const blocked: RunView = {
  runId: 'r',
  status: 'blocked',
  title: 'o',
  repository: '/r',
  agent: 'command',
  round: 1,
  maxRounds: 256,
  startedAt: row.startedAt,
  endedAt: row.endedAt,
  ref: 'refs/heads/ralph/r',
  commit: row.commit,
  why: null,
  until: null,
  steering: null,
  objective: 'o',
  objectiveHash: null,
  base: null,
  agentSpec: null,
  sandbox: null,
  setup: 'npm ci',
  limits: null,
  budgets: null,
  spent: null,
  gates: null,
  gatePolicy: null,
  reviewer: null,
  fallbackAgent: null,
  hostId: null,
  branch: 'ralph/r',
  rounds: [row],
  progress: null,
  ending: null,
  receipt: null,
  temporal: null,
  folder: null,
  notes: [],
};
const commands = (run: RunView): string[] => nextCommands(run).map(([command]) => command);
const merge = 'git merge ralph/r';

test('a run that is not complete is gone on from first, and its merge says that it is unfinished', () => {
  expect(commands(blocked).slice(-2)).toEqual(['ralph run --base ralph/r OBJECTIVE', merge]);
  expect(nextCommands(blocked).at(-1)?.[1]).toMatch(/unfinished/);
  expect(nextCommands({ ...blocked, status: 'complete' }).at(-1)).toEqual([merge, 'take it over']);
});

test('a run without any change has nothing to merge and no diff', () => {
  const unchanged = { ...row, changes: { files: 0, insertions: 0, deletions: 0 } };
  expect(commands({ ...blocked, rounds: [unchanged] })).toEqual([
    'ralph show r',
    'ralph show r --round 1',
    'ralph log r',
  ]);
});

test('a run whose setup failed says so, and leads to no round that is not there', () => {
  const fault = { code: 'setup-failed', message: 'setup "npm ci" exits 1', resetAt: null } as const;
  const ending = { status: 'round-failed', round: 0, attempts: 1, fault, handoff: null } as const;
  const run: RunView = { ...blocked, status: 'round-failed', rounds: [], ref: null, ending };
  expect(runEnd(run, palette(false))[0]).toBe('r: its setup failed (0 rounds in 1.0s)');
  expect(nextCommands(run)).toEqual([
    ['ralph show r', 'every round in a table'],
    ['ralph log r', 'what the setup printed'],
  ]);
});
