import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { ApplicationFailure, WorkflowFailedError, type WorkflowHandle } from '@temporalio/client';
import { MEMO_KEY, RunMemo } from '../../schemas/loop/memo.ts';
import { RoundFailure } from '../../schemas/run/result.ts';
import { MAX_REVIEW_CHARS, ReviewRecord } from '../../schemas/verification/review.ts';
import { readJson } from '../../workspaces/records/json-file.ts';
import { readEnding } from '../../workspaces/records/runs.ts';
import { reviewPaths } from '../../workspaces/records/run-paths.ts';
import { engine } from '../support/engine.ts';
import { gitRepository } from '../support/git-repository.ts';
import { done, scriptedAgent, type Step } from '../support/scripted-agent.ts';
import { waitFor } from '../support/wait-for.ts';

const ralph = engine('review');
let count = 0;

const says = (review: unknown): string => `printf '%s' '${JSON.stringify(review)}' > "$RALPH_REPORT_FILE"`;
const ACCEPT = says({ decision: 'accept', reasons: [] });
const reject = (...reasons: string[]): string => says({ decision: 'reject', reasons });
/** What one review does, and every other one of the run. */
const only = (review: string, command: string, others = ACCEPT): string =>
  `case "$RALPH_REPORT_FILE" in */${review}/*) ${command};; *) ${others};; esac`;

/** A run of its own repository and agent, whose claims a shell command reviews. */
async function launch(plan: readonly Step[], review: string, more: Partial<Parameters<typeof ralph.start>[0]> = {}) {
  const runId = `run-${(count += 1)}`;
  const repository = gitRepository(path.join(ralph.folder, `repository-${count}`), { 'a.txt': 'one\n' });
  const agent = scriptedAgent(path.join(ralph.folder, `agent-${count}`), plan);
  const reviewer = { provider: 'command', command: review, model: null } as const;
  const run = { runId, objective: 'Reach it.', repository, agent: agent.spec, ...more };
  const handle = await ralph.start({ ...run, checks: { reviewer, ...more.checks } });
  const paths = ralph.paths(runId);
  const files = (round: number, number: number) => reviewPaths(paths, round, number);
  return {
    repository,
    agent,
    handle,
    paths,
    files,
    record: (round: number, number: number) => readJson(files(round, number).outcome, ReviewRecord),
    prompt: (round: number, number: number) => readFileSync(files(round, number).prompt, 'utf8'),
    printed: (round: number, number: number) => readFileSync(files(round, number).transcript, 'utf8'),
  };
}

async function failureOf(handle: WorkflowHandle): Promise<RoundFailure> {
  const error = await handle.result().catch((reason: unknown) => reason);
  if (!(error instanceof WorkflowFailedError) || !(error.cause instanceof ApplicationFailure)) throw error;
  return RoundFailure.parse(error.cause.details?.[0]);
}

test('work that a reviewer accepts is complete, and called reviewed', async () => {
  const { handle, record, paths, files } = await launch([{ files: { 'b.txt': 'b' }, report: done('d') }], ACCEPT);
  expect(await handle.result()).toMatchObject({ status: 'complete', verification: 'reviewed', rounds: 1 });
  expect(await record(1, 1)).toMatchObject({
    kind: 'reviewed',
    commit: (await handle.result()).commit,
    review: { decision: 'accept' },
    sandbox: { level: 'read-only', mechanism: 'bubblewrap' },
    receipt: { proof: 'namespace-gone', cause: 'finished' },
  });
  expect([existsSync(paths.check), existsSync(files(1, 1).home), existsSync(files(1, 1).inbox)]).toEqual([
    false,
    false,
    false,
  ]);
});

test('a rejection makes its reasons the next steps of the next round', async () => {
  const review = only('1/review-1', reject('b.txt is missing', 'no test covers it'));
  const plan = [{ report: done('first claim') }, { files: { 'b.txt': 'b' }, report: done('second claim') }];
  const { handle, agent } = await launch(plan, review);
  expect(await handle.result()).toMatchObject({
    status: 'complete',
    verification: 'reviewed',
    rounds: 2,
    report: { summary: 'second claim' },
  });
  const prompt = agent.starts()[1]?.prompt;
  for (const reason of ['b.txt is missing', 'no test covers it']) {
    expect(prompt).toContain(`A reviewer rejected the completion claim: ${reason}`);
  }
});

test('rejections in a row end the run as stalled at the limit, never as complete', async () => {
  const plan = Array.from({ length: 9 }, (_, i) => ({ files: { 'n.txt': String(i) }, report: done(`claim ${i}`) }));
  const five = await launch(plan, reject('not yet'));
  expect(await five.handle.result()).toMatchObject({
    status: 'stalled',
    cause: 'claims-rejected',
    rounds: 5,
    handoff: { nextSteps: ['A reviewer rejected the completion claim: not yet'] },
  });
  expect([await five.record(5, 1), await five.record(6, 1)]).toEqual([expect.objectContaining({ round: 5 }), null]);
  const two = await launch(plan, reject('not yet'), { limits: { maxRejections: 2 } });
  expect(await two.handle.result()).toMatchObject({ status: 'stalled', rounds: 2 });
});

const long = { decision: 'reject', reasons: ['x'.repeat(MAX_REVIEW_CHARS)] };
test.each([
  ['report-invalid', says({ decision: 'reject', reasons: [] }), /a rejection gives a reason/],
  ['report-invalid', 'echo no > "$RALPH_REPORT_FILE"', /the review file does not hold JSON/],
  ['report-missing', 'true', /without writing a review/],
  ['report-oversized', says(long), /at most 8192 are allowed/],
])('a review that is %s is made again, by a reviewer that is told why', async (code, broken, why) => {
  const { handle, record, prompt } = await launch([{ report: done('d') }], only('review-1', broken));
  expect(await handle.result()).toMatchObject({ status: 'complete', verification: 'reviewed', rounds: 1 });
  expect(await record(1, 1)).toMatchObject({ kind: 'failed', fault: { code } });
  expect(await record(1, 2)).toMatchObject({ kind: 'reviewed', attempt: 2 });
  expect(prompt(1, 1)).not.toMatch(/review was rejected/);
  expect(prompt(1, 2)).toMatch(/review was rejected/);
  expect(prompt(1, 2)).toMatch(why);
});

test('reviews that are broken for good fail the run; the claim is never taken', async () => {
  const { handle, record } = await launch([{ report: done('d') }], 'true');
  expect(await failureOf(handle)).toMatchObject({ round: 1, attempts: 2, fault: { code: 'report-missing' } });
  expect(await record(1, 3)).toBeNull();
});

test('a reviewer that the worker cannot start ends the run before its first round', async () => {
  const { handle, agent } = await launch([{ report: done('never') }], 'true', {
    checks: { reviewer: { provider: 'gemini', command: null, model: null } },
  });
  const { round, fault } = await failureOf(handle);
  expect({ round, code: fault.code }).toEqual({ round: 0, code: 'workspace-broken' });
  expect(fault.message).toMatch(/The agent gemini needs the program gemini/);
  expect(agent.starts()).toEqual([]);
});

test('a reviewer that crashes is not a rejection: another one looks', async () => {
  const { handle, record } = await launch([{ report: done('d') }], only('review-1', `${ACCEPT}; exit 3`));
  expect(await handle.result()).toMatchObject({ status: 'complete', verification: 'reviewed', rounds: 1 });
  expect(await record(1, 1)).toMatchObject({ kind: 'failed', fault: { code: 'agent-crashed' } });
});

test('a reviewer sees the objective, the gates and the work, and not a word of what the worker said of it', async () => {
  const words = ['SUMMARY-WORD', 'EVIDENCE-WORD', 'COMMIT-WORD', 'LAST-WORD'];
  const [summary = '', evidence = '', commit = '', say = ''] = words;
  const looks = `git log --all --format=%B; git status --short; git diff $(git rev-parse HEAD); cat b.txt; ${ACCEPT}`;
  const objective = `Write b.txt.\n${'é🙂 "quoted" $HOME `x`'.repeat(200)}`;
  const { handle, prompt, printed, repository } = await launch(
    [{ files: { 'b.txt': 'the work itself\n' }, commit, say, report: { ...done(summary), evidence: [evidence] } }],
    looks,
    { objective, checks: { gates: [{ command: 'echo the gate spoke; test -e b.txt', timeoutMs: 10_000 }] } },
  );
  expect(await handle.result()).toMatchObject({ verification: 'reviewed' });
  const text = prompt(1, 1);
  expect(text).toContain(`<objective>\n${objective}\n</objective>`);
  expect(text).toContain('Gate `echo the gate spoke; test -e b.txt` passed. Its output ends:\n> the gate spoke');
  expect(text).toContain('+the work itself');
  expect(text).toContain(`git diff ${repository.commit}`);
  const seen = printed(1, 1);
  expect(seen).toMatch(/^A {2}b\.txt$/m);
  expect(seen).toMatch(/^\+the work itself$/m);
  expect(seen).toMatch(/^the work itself$/m);
  for (const word of words) expect({ word, seen: `${text}${seen}`.includes(word) }).toEqual({ word, seen: false });
});

test('a reviewer cannot write to what it judges', async () => {
  const tries = [
    'echo more >> a.txt',
    'touch made.txt',
    'rm a.txt',
    'git commit -qam mine',
    'git update-ref refs/heads/mine HEAD',
  ];
  const command = `${tries.map((it) => `{ ${it}; } 2>/dev/null && echo "done: ${it}"`).join('; ')}; cat a.txt; ${ACCEPT}`;
  const { handle, printed } = await launch([{ files: { 'a.txt': 'two\n' }, report: done('d') }], command);
  expect(await handle.result()).toMatchObject({ verification: 'reviewed' });
  expect(printed(1, 1)).toBe('two\n');
});

test('a diff that is too long to read is shortened with a mark, and can be read in the checkout', async () => {
  const big = Array.from({ length: 9_000 }, (_, i) => `line ${i} of a long file`).join('\n');
  const { handle, prompt, printed } = await launch(
    [{ files: { 'big.txt': big, 'z.txt': 'the last\n' }, report: done('d') }],
    `git diff HEAD | tail -n 1; ${ACCEPT}`,
  );
  expect(await handle.result()).toMatchObject({ verification: 'reviewed' });
  const text = prompt(1, 1);
  expect(text.length).toBeLessThan(65_000);
  expect(text).toMatch(/\[shortened: \d+ characters in all\. `git diff [0-9a-f]{40}` in the current folder shows all/);
  expect(text).toContain('z.txt');
  expect(text).not.toContain('line 8999 of');
  expect(printed(1, 1)).toBe('+the last\n');
});

test('a secret in the work is in nothing that is kept of a review, nor handed on', async () => {
  const token = `ghp_${'a1B2'.repeat(9)}`;
  const leaks = `grep -h ghp_ secret.txt; grep -h ghp_ secret.txt >&2; printf '{"decision":"reject","reasons":["it says %s"]}' "$(cat secret.txt)" > "$RALPH_REPORT_FILE"`;
  const plan = [{ files: { 'secret.txt': token }, report: done('d') }, { report: done('again') }];
  const { handle, files, agent } = await launch(plan, only('1/review-1', leaks));
  expect(await handle.result()).toMatchObject({ verification: 'reviewed', rounds: 2 });
  const { prompt, transcript, stderr, outcome } = files(1, 1);
  for (const file of [prompt, transcript, stderr, outcome]) {
    const text = readFileSync(file, 'utf8');
    expect({ file, token: text.includes(token), mark: text.includes('[redacted: GitHub token]') }).toEqual({
      file,
      token: false,
      mark: true,
    });
  }
  expect(agent.starts()[1]?.prompt).toContain('it says [redacted: GitHub token]');
});

test('what a reviewer used is charged to the run and stands in its record', async () => {
  const told = { inputTokens: 700, outputTokens: 70, costUsd: 0.5 };
  const { handle, record, paths } = await launch(
    [{ report: done('d') }],
    `printf '%s' '${JSON.stringify(told)}' > "$RALPH_USAGE_FILE"; ${ACCEPT}`,
  );
  await handle.result();
  expect(await record(1, 1)).toMatchObject({ usage: { inputTokens: 700 }, costUsd: 0.5, costEstimated: false });
  expect((await readEnding(paths))?.state).toMatchObject({ spent: { tokens: 770, costUsd: 0.5 } });
});

test('a reviewer that outlasts the round timeout is disposed of with what it started, and another one looks', async () => {
  const hangs = 'nohup setsid sleep 93 & sleep 94';
  const { handle, record } = await launch([{ report: done('d') }], only('review-1', hangs), {
    limits: { roundTimeoutMs: 1_500 },
  });
  expect(await handle.result()).toMatchObject({ verification: 'reviewed' });
  expect(await record(1, 1)).toMatchObject({
    kind: 'failed',
    fault: { code: 'round-timeout' },
    receipt: { proof: 'namespace-gone', cause: 'round-timeout' },
  });
});

test('a worker that is shut down under a review gives it back: it is made again, and the round is not', async () => {
  const { handle, record, agent, files } = await launch([{ report: done('d') }], only('review-1', 'echo up; sleep 95'));
  await waitFor('the reviewer', 30_000, () => existsSync(files(1, 1).fence) && existsSync(files(1, 1).transcript));
  await ralph.stopWorkers();
  expect(await record(1, 1)).toMatchObject({
    kind: 'interrupted',
    receipt: { proof: 'namespace-gone', cause: 'worker-shutdown' },
  });
  await ralph.startWorkers();
  expect(await handle.result()).toMatchObject({ status: 'complete', verification: 'reviewed', rounds: 1 });
  expect(agent.starts()).toHaveLength(1);
});

test('a cancel ends a reviewer and leaves its receipt', async () => {
  const { handle, record, files, paths } = await launch([{ report: done('d') }], 'sleep 96');
  await waitFor('the reviewer', 30_000, () => existsSync(files(1, 1).fence));
  const { memo } = await handle.describe();
  expect(RunMemo.parse(memo?.[MEMO_KEY])).toMatchObject({ status: 'checking', why: 'review by command' });
  await handle.cancel();
  await expect(handle.result()).rejects.toThrow(WorkflowFailedError);
  const receipt = { proof: 'namespace-gone', cause: 'cancelled' };
  expect(await record(1, 1)).toMatchObject({ kind: 'interrupted', receipt });
  expect(await readEnding(paths)).toMatchObject({ ending: { status: 'cancelled' }, receipt });
});
