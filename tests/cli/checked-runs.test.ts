import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { GateCheck, GateResult } from '../../schemas/verification/gate.ts';
import type { FinishedReview } from '../../schemas/verification/review.ts';
import { type StepPaths, checkPaths, reviewPaths, runPaths } from '../../workspaces/records/run-paths.ts';
import { here } from './support/here.ts';
import { receipt, recordRun } from './support/recorded-run.ts';
import { type Scratch, scratch } from './support/ralph.ts';
import { plainGate } from '../support/records.ts';

const RUN = 'widgets-k3f9x';
const at = '2026-01-05T09:10:00.000Z';
let place: Scratch;
let home: string;

const gate = (command: string, exitCode: number, output = ''): GateResult =>
  plainGate({ command, exitCode, outputHash: `${command}${exitCode}`, ms: 3_000, output, receipt });

async function record(file: string, value: GateCheck | FinishedReview): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, JSON.stringify(value));
}

async function printed({ root, transcript, stderr }: StepPaths, stdout: string, warning = ''): Promise<void> {
  await mkdir(root, { recursive: true });
  await writeFile(transcript, stdout);
  await writeFile(stderr, warning);
}

/** A run of three rounds with gates before the first, a claim that a gate refused, and one that a reviewer did. */
beforeAll(async () => {
  place = await scratch();
  ({ home } = place);
  await recordRun({
    home,
    runId: RUN,
    rounds: 3,
    objective: 'Migrate',
    summary: 's',
    transcript: 'at work',
    ended: true,
  });
  const paths = runPaths(home, RUN);
  const request: object = JSON.parse(await readFile(paths.request, 'utf8'));
  const asked = {
    gates: [
      { command: 'npm run lint', timeoutMs: 1_200_000 },
      { command: 'npm test', timeoutMs: 600_000 },
    ],
    gatePolicy: { inPlace: false, allowRedBaseline: true, protect: ['tests/**'] },
    reviewer: { provider: 'codex', command: null, model: 'gpt-5' },
    budgets: { maxTimeMs: 3_600_000, maxTokens: null, maxCostUsd: 20, maxWaitMs: null },
  };
  await writeFile(paths.request, JSON.stringify(Object.assign(request, asked)));
  const checked = (round: number, gates: GateResult[], protectedPaths: string[] = []): Promise<void> =>
    record(checkPaths(paths, round, 1).record, {
      kind: 'checked',
      round,
      check: 1,
      commit: 'c'.repeat(40),
      gates,
      protectedPaths,
      startedAt: at,
      endedAt: at,
    });
  await checked(0, [gate('npm run lint', 1), gate('npm test', 1)]);
  await checked(2, [gate('npm run lint', 1), gate('npm test', 2, 'Expected 4,\u001b[31m got 5')], ['tests/a.js']);
  await checked(3, [gate('npm run lint', 1), gate('npm test', 0)]);
  await printed(checkPaths(paths, 0, 1).step(1), 'no linter yet');
  await printed(checkPaths(paths, 2, 1).step(1), '1 problem');
  // What is on the stdin of a gate, which has no prompt.
  await writeFile(checkPaths(paths, 2, 1).step(1).prompt, '');
  await printed(checkPaths(paths, 2, 1).step(2), 'Expected 4', 'npm warn');
  await printed(reviewPaths(paths, 3, 1), '{"type":"turn.started"}', 'codex warns');
  await record(reviewPaths(paths, 3, 1).outcome, {
    kind: 'reviewed',
    round: 3,
    attempt: 1,
    commit: 'c',
    startedAt: at,
    endedAt: at,
    agentMs: 30_000,
    usage: null,
    costUsd: 0.25,
    costEstimated: true,
    sandbox: { level: 'read-only', network: true, readable: [], mechanism: 'bubblewrap' },
    receipt,
    review: { decision: 'reject', reasons: ['formatPrice is still called in lib/b.js'] },
  });
});
afterAll(() => place.remove());

test('show tells what is checked, the gates before round 1, every check with its result, and the budgets', async () => {
  const { stdout } = await here(['show', RUN], { home });
  expect(stdout).toMatch(/^Gates +npm run lint\n +npm test \(within 10m\)\n +\(on a clean checkout; a gate may fail/m);
  expect(stdout).toMatch(/^Protected +tests\/\*\*$/m);
  expect(stdout).toMatch(/^Reviewer +codex \(gpt-5\)$/m);
  expect(stdout).toMatch(/^Checks +gates before round 1: ✗ npm run lint: exit code 1; ✗ npm test: exit code 1$/m);
  expect(stdout).toMatch(
    /^ +gates of round 2: rejected the completion claim: it changed protected paths: tests\/a\.js; gate "npm test" ended with exit code 2; ✗ npm run lint: exit code 1, as before round 1$/m,
  );
  expect(stdout).toMatch(/^ +gates of round 3: passed: ✗ npm run lint: exit code 1, as before round 1$/m);
  expect(stdout).toMatch(
    /^ +review of round 3: rejected the completion claim: formatPrice is still called in lib\/b\.js$/m,
  );
  expect(stdout).toMatch(/^Budgets +Time +3m of 1h\n +Cost +unknown of \$20\.00$/m);
});

test('show --round has the gates with their output, exit codes and files, and the review with its reasons', async () => {
  const second = await here(['show', RUN, '--round', '2'], { home });
  expect(second.stdout).toMatch(/^Gates of round 2\nResult +rejected the completion claim/m);
  expect(second.stdout).toMatch(/^Gate +✗ npm test: exit code 2 {2}\S+\nOutput ends +Expected 4, got 5$/m);
  expect(second.stdout).toMatch(
    /^All output +ralph log widgets-k3f9x --round 2 --gates\nFiles +\/.*\/rounds\/2\/gates-1$/m,
  );
  const third = await here(['show', RUN, '--round', '3'], { home });
  expect(third.stdout).toMatch(/^Review of round 3\nResult +rejected the completion claim/m);
  expect(third.stdout).toMatch(/^Reasons +- formatPrice is still called in lib\/b\.js$/m);
  expect(third.stdout).toMatch(/^Cost +≈\$0\.25$/m);
  expect(third.stdout).toMatch(/^All output +ralph log widgets-k3f9x --round 3 --review$/m);
  const before = await here(['show', RUN, '--round', '0'], { home });
  expect(before).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^Before round 1 of run.*\n\nGates before round 1\n/),
  });
});

test('log has what gates and reviewers printed in its place, each under its name; --gates and --review that alone', async () => {
  const gates = ['── round 2, gates: npm run lint, stdout ──', '1 problem', '── round 2, gates: npm test, stdout ──'];
  const test = ['Expected 4', '── round 2, gates: npm test, stderr ──', 'npm warn'];
  const second = await here(['log', RUN, '--round', '2'], { home });
  expect(second.stdout.trim().split('\n')).toEqual(['── round 2, attempt 1, stdout ──', 'at work', ...gates, ...test]);
  const alone = await here(['log', RUN, '--round', '2', '--gates'], { home });
  expect(alone.stdout.trim().split('\n')).toEqual([...gates, ...test]);
  const before = await here(['log', RUN, '--round', '0'], { home });
  expect(before.stdout).toBe('── before round 1, gates: npm run lint, stdout ──\nno linter yet\n');
  const review = await here(['log', RUN, '--review'], { home });
  expect(review.stdout).toBe('── round 3, review, stderr ──\ncodex warns\n');
  const raw = await here(['log', RUN, '--review', '--json'], { home });
  expect(JSON.parse(String(raw.stdout.split('\n')[0]))).toEqual({
    what: 'review',
    round: 3,
    attempt: 1,
    command: null,
    stream: 'stdout',
    text: '{"type":"turn.started"}',
    activity: null,
  });
});

test('log says the truth of what is not there', async () => {
  const texts = {
    'Run "widgets-k3f9x" has no such output: no gate ran in round 1.': ['--round', '1', '--gates'],
    'Run "widgets-k3f9x" has no such output: no reviewer ran in round 2.': ['--round', '2', '--review'],
    'Run "widgets-k3f9x" has no record of round 9: its last round is 3.': ['--round', '9', '--gates'],
  };
  for (const [text, args] of Object.entries(texts)) {
    const { code, stderr } = await here(['log', RUN, ...args], { home });
    expect(stderr).toContain(text);
    expect(code).toBe(3);
  }
  const both = await here(['log', RUN, '--gates', '--review'], { home });
  expect(both).toMatchObject({ code: 2, stderr: expect.stringContaining('--gates and --review cannot be combined') });
  await recordRun({ home, runId: 'plain', rounds: 1, objective: 'o', summary: 's', transcript: '', ended: true });
  const none = await here(['log', 'plain', '--round', '0'], { home });
  expect(none.stderr).toContain('neither a setup nor a gate ran before round 1');
  expect(none.code).toBe(3);
  const { record: file } = checkPaths(runPaths(home, 'plain'), 1, 1);
  const check = { kind: 'checked', round: 1, check: 1, commit: 'c', startedAt: at, endedAt: at } as const;
  await record(file, { ...check, gates: [], protectedPaths: ['t/a'] });
  const refused = await here(['log', 'plain', '--round', '1', '--gates'], { home });
  expect(refused.stderr).toContain(
    'its completion claim was rejected first, because the round changed protected paths: t/a.',
  );
  expect(refused.code).toBe(3);
});

test('--json has checks in short with the run, and whole with the round', async () => {
  const run = JSON.parse((await here(['show', RUN, '--json'], { home })).stdout);
  expect(
    run.checks.map(({ check, round, outcome }: Record<string, unknown>) => [check, round, Object(outcome).kind]),
  ).toEqual([
    ['gates', 0, 'baseline'],
    ['gates', 2, 'rejected'],
    ['gates', 3, 'accepted'],
    ['review', 3, 'rejected'],
  ]);
  expect(run.checks[3].outcome.reasons).toEqual(['formatPrice is still called in lib/b.js']);
  const round = JSON.parse((await here(['show', RUN, '--round', '2', '--json'], { home })).stdout);
  expect(Object.keys(round.checks[0].kept.files).toSorted()).toEqual([
    'step-1/stderr',
    'step-1/transcript',
    'step-2/stderr',
    'step-2/transcript',
  ]);
  expect(round.checks).toMatchObject([
    { check: 'gates', record: { kind: 'there', record: { gates: [{}, { exitCode: 2 }] } } },
  ]);
});

test('a damaged record hides nothing else, and says so', async () => {
  const paths = runPaths(home, RUN);
  const { record: file } = checkPaths(paths, 2, 1);
  const whole = await readFile(file, 'utf8');
  await writeFile(file, '{');
  try {
    const { stdout, code } = await here(['show', RUN, '--round', '2'], { home });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Result +unknown: \/.*check\.json does not hold what it should$/m);
    expect((await here(['show', RUN], { home })).stdout).toMatch(
      /^ +gates of round 2: interrupted, so there is no result$/m,
    );
  } finally {
    await writeFile(file, whole);
  }
});
