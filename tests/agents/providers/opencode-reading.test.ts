import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { tempFolder } from '../../support/temp-folder.ts';
import { faultOf, readLines } from '../../fixtures/agents/read-lines.ts';

const REPORT = { status: 'blocked', summary: 's', evidence: [], nextSteps: [], blocker: 'b' };
/** What a repository or a model may say without its being a fault. */
const NOISE = 'rate limit exceeded 429 usage limit reached|1796000000 Invalid API key 401 resets 8pm (UTC)';

const tokens = { input: 10, output: 5, reasoning: 2, cache: { read: 3, write: 1 } };
const step = (reason: string): object => ({ type: 'step_finish', part: { reason, tokens, cost: 0.5 } });
const text = (words: string): object => ({ type: 'text', part: { text: words } });
const error = (name: string, data: object = {}): object => ({
  type: 'error',
  error: { name, data: { message: NOISE, ...data } },
});

test.each([
  [error('APIError', { statusCode: 401 }), 'bad-credentials'],
  [error('APIError', { statusCode: 429, responseBody: '{"error":{"code":"insufficient_quota"}}' }), 'no-credit'],
  // The answer's own sentence says when.
  [error('APIError', { statusCode: 429 }), 'rate-limited until 2026-11-30T00:53:20.000Z'],
  [error('APIError', { statusCode: 429, message: 'slow down' }), 'rate-limited'],
  [error('APIError', { statusCode: 503 }), 'model-overloaded'],
  [error('APIError'), 'network'],
  [error('ProviderAuthError'), 'bad-credentials'],
  [error('ContextOverflowError'), 'context-too-long'],
  [error('ContentFilterError'), 'refusal'],
  [error('UnknownError'), 'agent-crashed'],
  [error('APIError', { statusCode: 400, message: 'Your input exceeds the context window' }), 'context-too-long'],
  [error('APIError', { statusCode: 404, message: 'The model `m` does not exist' }), 'agent-unavailable'],
  [error('APIError', { statusCode: 429, message: 'Insufficient balance' }), 'no-credit'],
])('%j is a fault by its name and status alone', async (event, code) => {
  expect(faultOf(await readLines('opencode', [event], { code: 1 }))).toBe(code);
});

test('a rate limit lasts as long as the header of the answer says', async () => {
  const event = error('APIError', {
    statusCode: 429,
    responseHeaders: { 'retry-after': 'Mon, 30 Nov 2099 01:00:00 GMT' },
  });
  expect(faultOf(await readLines('opencode', [event], { code: 1 }))).toBe(
    'rate-limited until 2099-11-30T01:00:00.000Z',
  );
});

test('tokens and cost add up over the steps, reasoning counts as output', async () => {
  const report = `Done.\n\`\`\`json\n${JSON.stringify(REPORT)}\n\`\`\``;
  const lines = [
    { type: 'step_start' },
    text('x'),
    step('tool-calls'),
    { type: 'step_start' },
    text(report),
    step('stop'),
  ];
  const reading = await readLines('opencode', lines);
  expect(reading.report).toEqual({ kind: 'candidate', value: REPORT });
  expect(reading.usage).toEqual({ inputTokens: 20, outputTokens: 14, cacheWriteTokens: 2, cacheReadTokens: 6 });
  expect(reading.costUsd).toBe(1);
  expect(reading.reported).toBe(true);
});

test('an answer cut by its length is no report', async () => {
  const cut = await readLines('opencode', [{ type: 'step_start' }, text(JSON.stringify(REPORT)), step('length')]);
  expect(faultOf(cut)).toBe('report-missing');
  expect(cut.reported).toBe(false);
});

test('a last message without a report is none, so that no grace period begins', async () => {
  expect((await readLines('opencode', [{ type: 'step_start' }, text('I wait.'), step('stop')])).reported).toBe(false);
});

test('a report stands when more steps come after it, until a later report replaces it', async () => {
  const first = [text(JSON.stringify(REPORT)), step('stop')];
  const more = await readLines('opencode', [...first, { type: 'step_start' }, error('APIError', { statusCode: 402 })]);
  expect(more.report).toEqual({ kind: 'candidate', value: REPORT });
  const again = { ...REPORT, summary: 'again' };
  const later = await readLines('opencode', [
    ...first,
    { type: 'step_start' },
    text(JSON.stringify(again)),
    step('stop'),
  ]);
  expect(later.report).toEqual({ kind: 'candidate', value: again });
});

const home = tempFolder('opencode-log');
const ASKS =
  'timestamp=2026-12-01T04:04:23.851Z level=INFO run=5a188321 message=stream providerID=local modelID=m small=false';
const failure = (words: string): string =>
  `timestamp=2026-12-01T04:04:24.058Z level=ERROR run=5a188321 message="stream error" providerID=local agent=build error.error="AI_APICallError: ${words}"`;
const logged = async (lines: readonly string[], events: readonly object[] = []) => {
  const file = path.join(home, '.local/share/opencode/log/opencode.log');
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, `${lines.join('\n')}\n`);
  return await readLines('opencode', events, { code: null, signal: 'SIGKILL', ended: true }, { home });
};

test.each([
  ['scripted 429', 'rate-limited'],
  ['Weekly usage limit reached. It will reset in 2 days.', 'usage-limited until'],
  ['You exceeded your current quota, please check your plan', 'usage-limited'],
  ['Overloaded', 'model-overloaded'],
  ['Unable to connect. Is the computer able to access the url?', 'network'],
])('a wait that its log alone tells of, for "%s", has failed and is %s', async (words, code) => {
  const reading = await logged([ASKS, failure(words)]);
  expect(reading.hasFailed).toBe(true);
  expect(faultOf(reading)).toMatch(new RegExp(`^${code}`));
});

test('a request that went out again is no wait, and what a command printed into the log is none', async () => {
  expect((await logged([ASKS, failure('scripted 429'), ASKS])).hasFailed).toBe(false);
  expect((await logged([`message=x ${failure('scripted 429')}`])).hasFailed).toBe(false);
  const other = failure('scripted 429').replace('run=5a188321', 'run=0b1c2d3e');
  expect((await logged([ASKS, other])).hasFailed).toBe(false);
});
