import { mkdir, rm, writeFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { commandLine } from '../../cli/command-line.ts';
import { here } from './support/here.ts';
import { type Scratch, scratch } from './support/ralph.ts';
import { recordRun, runFolder } from './support/recorded-run.ts';
import { screen } from './support/terminals.ts';

const HOSTILE = 'teal\u001b[2J\u001b]0;owned\u0007 \u009b31m \u202eright';
let home: string;
let place: Scratch;

beforeAll(async () => {
  place = await scratch();
  ({ home } = place);
  const transcript = `{"text":"one"}\n${JSON.stringify({ text: `${'before '.repeat(20)}${HOSTILE}${' after'.repeat(40)}` })}\n`;
  await recordRun({
    home,
    runId: 'widgets-k3f9x',
    rounds: 1,
    objective: 'Migrate',
    summary: 'moved the cobalt part',
    transcript,
    ended: true,
  });
  const gate = `${runFolder(home, 'widgets-k3f9x')}/rounds/1/gates-2/step-1`;
  await mkdir(gate, { recursive: true });
  await writeFile(`${gate}/stderr.log`, 'a cobalt failure\n');
});
afterAll(() => place.remove());

/** The command as it prints on a screen of so many columns. */
async function onScreen(columns: number, args: readonly string[]): Promise<string[]> {
  const { terminal, printed } = screen(columns);
  const env = { PATH: process.env['PATH'], HOME: process.env['HOME'], RALPH_HOME: home };
  await commandLine({ argv: args, env, cwd: process.cwd(), stdin: Readable.from([]), terminal, version: '0.0.0' });
  return printed.stdout.trimEnd().split('\n');
}

test('hits stand under their places, and the search says what it read; Temporal is not needed', async () => {
  const { stdout, stderr, code } = await here(['search', 'cobalt'], { home });
  expect(code).toBe(0);
  expect(stdout.split('\n')).toEqual([
    '── widgets-k3f9x, round 1, gate 1 (2), stderr ──',
    '       1  a cobalt failure',
    '── widgets-k3f9x, round 1, attempt 1, report ──',
    ' summary  moved the cobalt part',
    '',
  ]);
  expect(stderr).toMatch(/^2 hits in 1 run, \d files, \S+ bytes\.\n$/);
});

test('a line is cut to the screen with its match in view, and nothing in it acts on the terminal', async () => {
  const lines = await onScreen(80, ['search', 'teal']);
  expect(lines).toHaveLength(2);
  expect(lines[0]).toBe('── widgets-k3f9x, round 1, attempt 1, transcript ──');
  expect(lines[1]).toMatch(/^ {7}2 {2}….*before teal.*…$/);
  expect(lines[1]?.length).toBeLessThanOrEqual(80);
  expect(lines.join('')).not.toMatch(/[\p{Cc}\u202a-\u202e]/u);
});

test('--json prints a document per line, the end last', async () => {
  const { stdout, code } = await here(['search', 'cobalt', '--kind', 'report', '--json'], { home });
  const documents = stdout
    .trimEnd()
    .split('\n')
    .map((line) => Object(JSON.parse(line)));
  expect(code).toBe(0);
  expect(documents.map(({ kind }) => kind)).toEqual(['hit', 'end']);
  expect(documents[0]).toMatchObject({
    runId: 'widgets-k3f9x',
    where: 'report',
    round: 1,
    attempt: 1,
    field: 'summary',
  });
  expect(documents[1]).toMatchObject({ hits: 1, stopped: null });
});

test('nothing found exits with 5, unless something could not be searched', async () => {
  const nothing = await here(['search', 'vermilion'], { home });
  expect(nothing).toMatchObject({ stdout: '', code: 5 });
  expect(nothing.stderr).toMatch(/^0 hits in 1 run, /);
  const broken = `${runFolder(home, 'widgets-k3f9x')}/rounds/1/attempt-1/prompt.md`;
  await mkdir(broken);
  try {
    const unread = await here(['search', 'vermilion'], { home });
    expect(unread).toMatchObject({ stdout: '', code: 1 });
    expect(unread.stderr).toContain(`Not searched: ${broken}: it is not a regular file.`);
    expect(unread.stderr).toContain('1 file could not be searched.');
    expect((await here(['search', 'cobalt'], { home })).code).toBe(0);
  } finally {
    await rm(broken, { recursive: true });
  }
});

test('the bounds that stopped a search are said, with the way on', async () => {
  const most = await here(['search', 'cobalt', '-n', '1'], { home });
  expect(most.stderr).toContain('The search stopped after 1 hit. --limit N prints more.');
  const slow = await here(['search', '--regex', '(b.*)+(e.*)+(f.*)+(o.*)+Q', '--timeout', '1s'], { home });
  expect(slow.code).toBe(1);
  expect(slow.stderr).toContain('The search was ended after 1s and is not complete. It was reading ');
});

test('filters are held to what they may be', async () => {
  const kind = await here(['search', 'x', '--kind', 'diff'], { home });
  expect(kind).toMatchObject({ code: 2 });
  expect(kind.stderr).toContain('objective, prompt, report, transcript, gate');
  for (const since of ['yesterday', '2026-02-31', '7']) {
    const refused = await here(['search', 'x', '--since', since], { home });
    expect(refused).toMatchObject({ code: 2 });
    expect(refused.stderr).toContain(`--since "${since}"`);
  }
  expect(await here(['search', 'x', '--run', 'widgets'], { home })).toMatchObject({ code: 3 });
  expect(await here(['search', 'cobalt', '--since', '1h'], { home })).toMatchObject({ code: 0 });
  const later = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10);
  expect(await here(['search', 'cobalt', '--since', later], { home })).toMatchObject({ code: 5 });
});
