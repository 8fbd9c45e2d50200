import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { recordRun, runFolder } from './support/recorded-run.ts';
import { here } from './support/here.ts';
import { ralph, type Scratch, scratch, start } from './support/ralph.ts';

const HOSTILE = 'done\u001b[2J\u001b]0;owned\u0007 \u009b31m \u202eright';
let home: string;
let place: Scratch;

beforeAll(async () => {
  place = await scratch();
  ({ home } = place);
  const common = { home, rounds: 3, transcript: `line one\n${HOSTILE}\nlast line without end`, summary: HOSTILE };
  await recordRun({
    ...common,
    runId: 'widgets-k3f9x',
    objective: `Migrate all calls ${HOSTILE}\nsecond line`,
    ended: true,
  });
  await recordRun({ ...common, runId: 'widgets-open', objective: 'Not ended', ended: false });
});
afterAll(() => place.remove());

/** Control characters but line feed and tab, and the marks that turn reading order. */
const unprintable = (text: string): string[] =>
  Array.from(text).filter((char) => /[\p{Cc}\u202a-\u202e\u2066-\u2069]/u.test(char) && char !== '\n' && char !== '\t');

test('list shows what is on disk when nothing runs, and calls unknown what cannot be known', async () => {
  const { stdout, stderr, code } = await here(['list'], { home });
  expect(code).toBe(0);
  expect(stdout).toMatch(/^RUN +STATUS +ROUND +STARTED +REPOSITORY +OBJECTIVE$/m);
  expect(stdout).toMatch(/^widgets-k3f9x +budget-limited +3\/256 +\S+ ago +widgets +Migrate all calls/m);
  expect(stdout).toMatch(/^widgets-open +unknown +3\/256/m);
  expect(stderr).toMatch(/`ralph up` starts one\. Whether runs without an ending are live is unknown\./);
});

test('list says how many it leaves out, and how to see them', async () => {
  const some = await here(['list', '-n', '1'], { home });
  expect(some.stdout).toContain('widgets-open');
  expect(some.stdout).not.toContain('widgets-k3f9x');
  expect(some.stderr).toContain('1 of 2 runs, the latest first. `ralph list --all` lists every run.');
  const all = await here(['list', '--all'], { home });
  expect(all.stdout).toContain('widgets-k3f9x');
  expect(all.stderr).not.toContain('--all');
  expect((await here(['show', 'nothing-like-it'], { home })).stderr).toContain('`ralph list --all` lists every run.');
});

test('show tells a run that Temporal has forgotten from its files', async () => {
  const { stdout, code } = await here(['show', 'widgets-k3f9x'], { home });
  expect(code).toBe(0);
  expect(stdout).toMatch(/^Status +budget-limited/m);
  expect(stdout).toMatch(/^Objective +Migrate all calls done.*\n +second line$/m);
  expect(stdout).toMatch(/^Agent +command: agent$/m);
  expect(stdout).toMatch(/^Branch +ralph\/x at aaaaaaa/m);
  expect(stdout).toMatch(/^ROUND +STATUS +DURATION +TOKENS +COST +COMMIT +\+\/− +SUMMARY$/m);
  expect(stdout).toMatch(/^ +1 +continue +1m +1\.2k +unknown +aaaaaaa +\+10 −3 +done/m);
  expect(stdout).toMatch(/^ +2 +continue +1m +unknown/m);
});

test('show --round tells the whole round: report, receipt, sandbox, commit, files', async () => {
  const { stdout, code } = await here(['show', 'widgets-k3f9x', '--round', '2'], { home });
  expect(code).toBe(0);
  expect(stdout).toMatch(/^Sandbox +workspace-write, with network, bubblewrap$/m);
  expect(stdout).toMatch(/^Disposal +no process is left/m);
  expect(stdout).toMatch(/^ +1 ended by SIGKILL: sleep 999$/m);
  expect(stdout).toMatch(/^Evidence +- tests pass$/m);
  expect(stdout).toMatch(/^Note +a nested repository "lib"/m);
  expect(stdout).toMatch(/^Files +\/.*\/rounds\/2\/attempt-1\n +transcript\.jsonl$/m);
});

test.each([
  ['list'],
  ['show', 'widgets-k3f9x'],
  ['show', 'widgets-k3f9x', '--json'],
  ['show', 'widgets-k3f9x', '--round', '1'],
  ['list', '--json'],
  ['log', 'widgets-k3f9x'],
])('ralph %s %s %s prints no control character of what agents wrote', async (...args) => {
  const { stdout, stderr, code } = await here(
    args.filter((arg) => arg !== undefined),
    { home },
  );
  expect(code).toBe(0);
  expect(unprintable(stdout + stderr)).toEqual([]);
});

test('--json prints one document, in which the unknown is unknown', async () => {
  const shown = JSON.parse((await here(['show', 'widgets-open', '--json'], { home })).stdout);
  expect(shown).toMatchObject({
    runId: 'widgets-open',
    status: 'unknown',
    phase: { kind: 'unknown', why: 'temporal-unreachable' },
    ceilings: { maxRounds: 256 },
    temporal: { kind: 'unreachable', why: expect.stringContaining('ralph up') },
    rounds: [
      { round: 1, outcome: { kind: 'continue' }, costUsd: { kind: 'unknown' } },
      { round: 2, usage: null },
      { round: 3 },
    ],
  });
  const listed = JSON.parse((await here(['list', '--json'], { home })).stdout);
  expect(listed.map((run: { runId: string }) => run.runId)).toEqual(['widgets-open', 'widgets-k3f9x']);
});

test('log prints every round in order with its last unfinished line; --round only one', async () => {
  const all = await here(['log', 'widgets-k3f9x'], { home });
  expect(all.stdout.match(/^── round \d, attempt 1, stdout ──$/gm)).toEqual(
    [1, 2, 3].map((round) => `── round ${round}, attempt 1, stdout ──`),
  );
  expect(all.stdout.match(/^last line without end$/gm)).toHaveLength(3);
  const one = await here(['log', 'widgets-k3f9x', '--round', '2'], { home });
  expect(one.stdout).toMatch(/^── round 2, attempt 1, stdout ──\nline one\n/);
  expect(one.stdout).not.toMatch(/round [13]/);
});

test('log --follow of a run that has ended prints it and returns', async () => {
  const { code, stdout } = await here(['log', 'widgets-k3f9x', '--follow'], { home });
  expect(code).toBe(0);
  expect(stdout.match(/^line one$/gm)).toHaveLength(3);
});

test.each([
  [['show', 'widgets-k3f9y'], 'widgets-k3f9x'],
  [['log', 'k3f9x'], 'widgets-k3f9x'],
  [['diff', 'widget-open'], 'widgets-open'],
  [['cancel', 'widgets-opne'], 'widgets-open'],
  [['watch', 'widgets-opne'], 'widgets-open'],
])('%p: an unknown run names the nearest ids and exits 3', async (args, nearest) => {
  const { code, stdout, stderr } = await here(args, { home });
  expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
  expect(stderr).toMatch(/^error: There is no run "[^"]+"\. Similar ids: /);
  expect(stderr).toContain(nearest);
});

test('an id that no path can leave the runs folder by', async () => {
  const { code, stderr } = await here(['show', '../../etc'], { home });
  expect(code).toBe(3);
  expect(stderr).toMatch(/no run "\.\.\/\.\.\/etc"/);
});

test('an unknown round says which rounds there are and exits 3', async () => {
  for (const verb of ['show', 'log']) {
    const { code, stderr } = await here([verb, 'widgets-k3f9x', '--round', '9'], { home });
    expect({ verb, code }).toEqual({ verb, code: 3 });
    expect(stderr).toMatch(/no record of round 9: its last round is 3/);
  }
});

test('a run whose folder lacks its repository has no diff, and says so', async () => {
  const { code, stderr } = await here(['diff', 'widgets-k3f9x'], { home });
  expect(code).toBe(1);
  expect(stderr).toMatch(/repository\.git is missing/);
});

test('a damaged file hides nothing else: the run is listed, and the page says what cannot be read', async () => {
  await recordRun({ home, runId: 'damaged', rounds: 2, objective: 'o', summary: 's', transcript: '', ended: true });
  await writeFile(path.join(runFolder(home, 'damaged'), 'request.json'), '{');
  try {
    const { stdout, code } = await here(['show', 'damaged'], { home });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Note +\S+request\.json does not hold what it should/m);
    expect(stdout).toMatch(/^Objective +unknown$/m);
    expect((await here(['list'], { home })).stdout).toMatch(/^damaged +budget-limited/m);
  } finally {
    await rm(runFolder(home, 'damaged'), { recursive: true });
  }
});

test('a reader that closes the pipe early is no error', async () => {
  const transcript = `${'y'.repeat(99)}\n`.repeat(20_000);
  await recordRun({ home, runId: 'long', rounds: 1, objective: 'o', summary: 's', transcript, ended: true });
  try {
    const { child, ended } = start(['log', 'long'], { home });
    child.stdout?.once('data', () => child.stdout?.destroy());
    expect(await ended).toMatchObject({ code: 0, stderr: '' });
  } finally {
    await rm(runFolder(home, 'long'), { recursive: true });
  }
});

test('an ended run can be watched with nothing running: the exit code tells how it ended', async () => {
  const { code, stdout } = await here(['watch', 'widgets-k3f9x'], { home });
  expect(code).toBe(11);
  expect(stdout).toMatch(/widgets-k3f9x: out of budget \(rounds\) \(3 rounds in 4m\)/);
});

test('cancelling an ended run says so and does nothing', async () => {
  const { code, stdout, stderr } = await here(['cancel', 'widgets-k3f9x'], { home });
  expect(code).toBe(0);
  expect(stderr).toMatch(/already ended; nothing was cancelled/);
  expect(stdout).toMatch(/out of budget/);
});

test('NO_COLOR is honoured and a pipe has no colour; FORCE_COLOR gives it', async () => {
  const coloured = await ralph(['list'], { home, env: { FORCE_COLOR: '1' } });
  expect(coloured.stdout).toContain('\u001b[');
  const plain = await ralph(['list'], { home, env: { FORCE_COLOR: '1', NO_COLOR: '1' } });
  expect(plain.stdout).not.toContain('\u001b[');
});

test.each([
  ['resume', 'widgets-k3f9x'],
  ['rollback', 'widgets-k3f9x', '--to', '1'],
])('%s of a run of another machine is refused, and nothing is started for it', async (...args) => {
  const { code, stderr } = await here(args, { home });
  expect(code).toBe(2);
  expect(stderr).toMatch(/belongs to another machine or RALPH_HOME \(host a{16}\)/);
});
