import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { commandAgent, Workspace } from '../fixtures/agents/workspace.ts';

let workspace: Workspace;
beforeEach(() => {
  workspace = new Workspace();
});
afterEach(() => {
  workspace.remove();
});

const REPORT = '{"status":"continue","summary":"s","evidence":[],"nextSteps":["n"],"blocker":""}';
const WRITE_REPORT = `printf '%s' '${REPORT}' > "$RALPH_REPORT_FILE"`;

test('a command gets the prompt byte for byte on stdin, and nothing of it is in its arguments', async () => {
  const prompt = `& | > " ' \\ $HOME \n${'ä😀'.repeat(15_000)}\n`;
  const { reading, ended, receipt } = await workspace.run({
    spec: commandAgent(`cat > got; tr '\\0' '\\n' < /proc/$$/cmdline > args; ${WRITE_REPORT}`),
    prompt,
  });
  expect(reading.report).toEqual({ kind: 'candidate', value: JSON.parse(REPORT) });
  expect(ended).toBe('exited');
  expect(receipt).toMatchObject({ cause: 'finished', proof: 'namespace-gone' });
  expect(readFileSync(path.join(workspace.tree, 'got'), 'utf8')).toBe(prompt);
  expect(readFileSync(path.join(workspace.tree, 'args'), 'utf8')).not.toContain('ä😀');
});

test('a command knows its run, its round and where the report goes, and nothing of the worker', async () => {
  const { reading } = await workspace.run({
    spec: commandAgent(`env; ${WRITE_REPORT}`),
    workerEnv: { ANTHROPIC_API_KEY: 'sk-secret', DATABASE_URL: 'x', ALLOWED: 'yes', RALPH_AGENT_ENV: 'ALLOWED, OTHER' },
  });
  const env = reading.finalText?.split('\n') ?? [];
  expect(env).toEqual(
    expect.arrayContaining(['RALPH_RUN=r1', 'RALPH_ROUND=1', 'RALPH_MAX_ROUNDS=256', 'ALLOWED=yes', 'TERM=dumb']),
  );
  expect(env).toContain(`RALPH_REPORT_FILE=${workspace.file('inbox')}/report.json`);
  expect(env.filter((line) => /^(ANTHROPIC|DATABASE|RALPH_AGENT_ENV)/.test(line))).toEqual([]);
  expect(workspace.activities).toContain('RALPH_RUN=r1');
});

test.each([
  ['writes no report', 'true', 'report-missing', /without writing a report/],
  ['writes something other than JSON', 'echo "{" > "$RALPH_REPORT_FILE"', 'report-invalid', /does not hold JSON/],
  ['makes a folder of the report', 'mkdir "$RALPH_REPORT_FILE"', 'report-invalid', /the report file is not a regular/],
  ['makes a FIFO of the report', 'mkfifo "$RALPH_REPORT_FILE"', 'report-invalid', /the report file is not a regular/],
  ['writes 10 GB', 'truncate -s 10G "$RALPH_REPORT_FILE"', 'report-invalid', /limit is 1048576/],
  ['links the report', 'ln -s /etc/passwd "$RALPH_REPORT_FILE"', 'report-invalid', /symbolic link/],
  ['fails after its report', `${WRITE_REPORT}; echo "no luck" >&2; exit 3`, 'agent-crashed', /exit code 3: no luck/],
  ['is killed', 'kill -9 $$', 'agent-crashed', /command (was ended by SIGKILL|ended with exit code 137)/],
])('a command that %s has no report, and the fault says why', async (_, command, code, message) => {
  const { reading } = await workspace.run({ spec: commandAgent(command) });
  expect(reading.report).toMatchObject({ kind: 'fault', fault: { code, message: expect.stringMatching(message) } });
});

test('a command that goes on after its report is waited for, and its exit code decides', async () => {
  const { reading, ended } = await workspace.run({ spec: commandAgent(`${WRITE_REPORT}; sleep 7; exit 3`) });
  expect(ended).toBe('exited');
  expect(reading.report).toMatchObject({ kind: 'fault', fault: { code: 'agent-crashed' } });
});

test('half a report is none: a command that hangs in it is idle', async () => {
  const { reading, ended } = await workspace.run({
    spec: commandAgent(`printf '{"status":"compl' > "$RALPH_REPORT_FILE"; sleep 1000`),
    limits: { idleTimeoutMs: 1_000 },
  });
  expect(ended).toBe('idle-timeout');
  expect(reading.report).toMatchObject({ kind: 'fault', fault: { code: 'idle-timeout' } });
});

test('a command that hangs after its report is disposed of when it is idle, and its report counts', async () => {
  const { reading, ended, receipt } = await workspace.run({
    spec: commandAgent(`${WRITE_REPORT}; sleep 1000`),
    limits: { idleTimeoutMs: 1_000 },
  });
  expect(ended).toBe('hung-after-report');
  expect(reading.report.kind).toBe('candidate');
  expect(receipt).toMatchObject({ cause: 'hung-after-report', proof: 'namespace-gone' });
});

test.each([
  ['silent', 'sleep 1000'],
  ['still printing', 'while :; do echo working; sleep 0.1; done'],
])('a command that is %s at the round timeout is disposed of, and its report counts', async (_, then) => {
  const { reading, ended, receipt } = await workspace.run({
    spec: commandAgent(`${WRITE_REPORT}; ${then}`),
    limits: { roundTimeoutMs: 1_500 },
  });
  expect(ended).toBe('hung-after-report');
  expect(reading.report.kind).toBe('candidate');
  expect(receipt.proof).toBe('namespace-gone');
});

test('a silent agent whose child computes is not idle; once nothing computes it is', async () => {
  const { reading, ended, receipt } = await workspace.run({
    spec: commandAgent('timeout 3 sh -c "while :; do :; done"; : > computed; sleep 1000'),
    limits: { idleTimeoutMs: 1_500 },
  });
  expect(ended).toBe('idle-timeout');
  expect(reading.report).toMatchObject({ kind: 'fault', fault: { code: 'idle-timeout' } });
  expect(receipt.cause).toBe('idle-timeout');
  expect(workspace.git('status', '--porcelain')).toContain('computed');
});

test('the round timeout ends an agent that keeps talking', async () => {
  const { reading, ended } = await workspace.run({
    spec: commandAgent('while :; do echo working; sleep 0.1; done'),
    limits: { roundTimeoutMs: 1_000 },
  });
  expect(ended).toBe('round-timeout');
  expect(reading.report).toMatchObject({ kind: 'fault', fault: { code: 'round-timeout', message: /1s/ } });
});

test('an abort reaches the agent at once and leaves nothing', async () => {
  const abort = new AbortController();
  const run = await workspace.run({
    spec: commandAgent('nohup setsid sleep 987 & echo up; sleep 1000'),
    limits: { roundTimeoutMs: 4_000 },
    signal: abort.signal,
    onActivity: () => {
      abort.abort();
    },
  });
  expect(run.ended).toBe('aborted');
  expect(run.receipt).toMatchObject({ cause: 'cancelled', proof: 'namespace-gone' });
  // All that it had started is asked to end, its background process too.
  expect(run.receipt.signals.filter(({ signal }) => signal === 'SIGTERM').length).toBeGreaterThan(1);
});

test('an abort before the start starts nothing', async () => {
  const run = workspace.run({ spec: commandAgent('touch started'), signal: AbortSignal.abort(new Error('stop')) });
  await expect(run).rejects.toThrow('stop');
  expect(workspace.git('status', '--porcelain')).toBe('');
});

test('a line of many megabytes is kept on disk, and never in memory', async () => {
  const before = process.memoryUsage.rss();
  const { reading } = await workspace.run({
    spec: commandAgent(`head -c 200000000 /dev/zero | tr '\\0' x; echo; echo last; ${WRITE_REPORT}`),
  });
  expect(statSync(workspace.file('transcript')).size).toBe(200_000_006);
  expect(reading.finalText).toBe('last');
  expect(process.memoryUsage.rss() - before).toBeLessThan(100_000_000);
});

test('a full disk under the transcript ends the attempt with that cause', async () => {
  const { reading, ended, receipt } = await workspace.run({
    spec: commandAgent(`${WRITE_REPORT}; echo x; sleep 1000`),
    transcript: '/dev/full',
    limits: { roundTimeoutMs: 4_000 },
  });
  expect(ended).toBe('disk-full');
  expect(reading.report).toMatchObject({ kind: 'fault', fault: { code: 'disk-full' } });
  expect(receipt.cause).toBe('fault');
});

test('transcript and stderr are readable by their owner alone', async () => {
  await workspace.run({ spec: commandAgent('echo out; echo err >&2') });
  for (const [name, text] of [
    ['transcript', 'out\n'],
    ['stderr', 'err\n'],
  ] as const) {
    expect(readFileSync(workspace.file(name), 'utf8')).toBe(text);
    expect(statSync(workspace.file(name)).mode & 0o777).toBe(0o600);
  }
});

test('a login that the program renewed is the user’s when the round has ended, and neither token is in what it printed', async () => {
  const login = path.join(workspace.userHome, '.tool', 'auth.json');
  mkdirSync(path.dirname(login));
  writeFileSync(login, '{"access_token":"token-of-yesterday","expires":1}', { mode: 0o600 });
  const { notes } = await workspace.run({
    spec: commandAgent(`
      cat ~/.tool/auth.json
      echo '{"access_token":"token-of-today-01","expires":2}' > ~/.tool/new; mv ~/.tool/new ~/.tool/auth.json
      printf 'the last word: '; tr -d '\n' < ~/.tool/auth.json; ${WRITE_REPORT}`),
    homeFiles: [{ from: login, to: '.tool/auth.json', login: true, renews: true }],
  });
  expect(notes).toEqual([]);
  expect(JSON.parse(readFileSync(login, 'utf8'))).toEqual({ access_token: 'token-of-today-01', expires: 2 });
  const transcript = readFileSync(workspace.file('transcript'), 'utf8');
  expect(transcript).toContain('{"access_token":"[redacted: auth.json]","expires":1}');
  expect(transcript).toContain('the last word: {"access_token":"[redacted: auth.json]","expires":2}');
});

test('a login that an agent made something else of stays as it was, and the round has a note', async () => {
  const login = path.join(workspace.userHome, 'auth.json');
  writeFileSync(login, '{"access_token":"token-of-yesterday"}');
  const { notes } = await workspace.run({
    spec: commandAgent(`echo '{"access_token":"x","helper":"sh -c evil"}' > ~/auth.json; ${WRITE_REPORT}`),
    homeFiles: [{ from: login, to: 'auth.json', login: true, renews: true }],
  });
  expect(notes).toEqual([
    expect.stringMatching(/user\/auth\.json; it was not copied there: it differs by more than tokens/),
  ]);
  expect(readFileSync(login, 'utf8')).toBe('{"access_token":"token-of-yesterday"}');
});
