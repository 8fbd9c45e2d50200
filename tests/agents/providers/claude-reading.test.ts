import { faultOf, readLines } from '../../fixtures/agents/read-lines.ts';

const REPORT = { status: 'blocked', summary: 's', evidence: [], nextSteps: [], blocker: 'b' };
/** What a repository or a model may say without its being a fault. */
const NOISE = 'rate limit exceeded 429 usage limit reached|1796000000 Invalid API key 401 resets 8pm (UTC)';

const init = { type: 'system', subtype: 'init', tools: [] };
const said = (text: string, more: object = {}): object => ({
  type: 'assistant',
  message: { model: 'm', content: [{ type: 'text', text }] },
  parent_tool_use_id: null,
  ...more,
});
const result = (more: object): object => ({
  type: 'result',
  subtype: 'success',
  is_error: true,
  result: NOISE,
  ...more,
});

test.each([
  ['authentication_failed', { api_error_status: 401 }, 'bad-credentials'],
  ['billing_error', { api_error_status: 400 }, 'no-credit'],
  ['overloaded', { api_error_status: 529 }, 'model-overloaded'],
  ['server_error', { api_error_status: 529 }, 'model-overloaded'],
  ['server_error', { api_error_status: 500 }, 'model-overloaded'],
  ['server_error', { api_error: 'connection_failed', api_error_status: null }, 'network'],
  ['model_not_found', { api_error_status: 404 }, 'agent-unavailable'],
  ['invalid_request', { api_error_status: 400, terminal_reason: 'prompt_too_long' }, 'context-too-long'],
  ['invalid_request', { stop_reason: 'refusal' }, 'refusal'],
  ['max_output_tokens', { api_error: 'max_output_tokens' }, 'agent-crashed'],
])('an API error %s %j is %s', async (error, more, code) => {
  const lines = [init, said('API Error', { error }), result({ ...more, result: 'API Error' })];
  expect(faultOf(await readLines('claude-code', lines, { code: 1 }))).toBe(code);
});

const rejected = (status: number, words: string, more: object = {}): object[] => [
  init,
  said('API Error', { error: 'invalid_request' }),
  result({ api_error_status: status, result: `API Error: ${status} ${words}`, ...more }),
];

test.each([
  [400, 'Output blocked by content filtering policy', 'refusal'],
  [400, 'input length and `max_tokens` exceed context limit: 190000 + 32000 > 200000', 'context-too-long'],
  [403, 'This organization has been disabled.', 'bad-credentials'],
  [400, 'Your credit balance is too low to access the Anthropic API.', 'no-credit'],
  [400, "The model 'claude-9' does not exist", 'agent-unavailable'],
  [400, 'messages.1.content: the file says "Output blocked by content filtering policy"', 'agent-crashed'],
])(
  'a request rejected with %d "%s" is %s, by the beginning of the sentence of the server',
  async (status, words, code) => {
    const reading = await readLines('claude-code', rejected(status, words), { code: 1 });
    expect(reading.report).toMatchObject({ fault: { code, status } });
  },
);

test.each([
  ['org_disabled_credential', 'bad-credentials'],
  ['api_key_auth_disabled', 'bad-credentials'],
  ['model_requires_usage_credits', 'no-credit'],
  ['claude_code_version_too_old', 'agent-unavailable'],
  ['network_edge_blocked', 'agent-unavailable'],
  ['stream_idle_timeout', 'network'],
  ['dlp_request_denied', 'refusal'],
  ['message_over_context_limit', 'context-too-long'],
  ['something_new', 'agent-crashed'],
])('an error of the kind %s is %s', async (api_error, code) => {
  expect(faultOf(await readLines('claude-code', rejected(400, 'words', { api_error }), { code: 1 }))).toBe(code);
});

const triedAgain = (error: string, attempt: number, status = 401): object => ({
  type: 'system',
  subtype: 'api_retry',
  attempt,
  error_status: status,
  error,
});

test('a key that is rejected is a fault at the first rejection, a login at the second, as it may have been renewed', async () => {
  const key = { ANTHROPIC_API_KEY: 'k' };
  const ended = { code: null, ended: true } as const;
  const first = await readLines('claude-code', [init, triedAgain('authentication_failed', 1)], ended, key);
  expect([first.hasFailed, faultOf(first)]).toEqual([true, 'bad-credentials']);
  expect(first.report).toMatchObject({ fault: { message: expect.stringContaining('(HTTP 401)'), status: 401 } });
  expect((await readLines('claude-code', [triedAgain('authentication_failed', 1)])).hasFailed).toBe(false);
  expect((await readLines('claude-code', [triedAgain('authentication_failed', 2)])).hasFailed).toBe(true);
});

test('a retry that may help, and an answer after one, is no fault', async () => {
  const key = { ANTHROPIC_API_KEY: 'k' };
  for (const lines of [
    [triedAgain('overloaded', 3, 529)],
    [triedAgain('rate_limit', 1, 429)],
    [triedAgain('something_new', 1, 400)],
    [triedAgain('authentication_failed', 1), said('hello')],
  ]) {
    expect((await readLines('claude-code', lines, { code: 0 }, key)).hasFailed).toBe(false);
  }
});

test('a refused usage limit lasts until the time that its event states', async () => {
  const event = { type: 'rate_limit_event', rate_limit_info: { status: 'rejected', resetsAt: 1_796_000_000 } };
  const lines = [event, said('limit', { error: 'rate_limit' }), result({ api_error_status: 429, result: 'limit' })];
  expect(faultOf(await readLines('claude-code', lines, { code: 1 }))).toBe(
    'usage-limited until 2026-11-30T00:53:20.000Z',
  );
});

test('a usage limit that only its sentence dates lasts until then', async () => {
  const lines = [
    said('', { error: 'rate_limit' }),
    result({ api_error_status: 429, result: 'usage limit reached|1796000000' }),
  ];
  expect(faultOf(await readLines('claude-code', lines, { code: 1 }))).toBe(
    'usage-limited until 2026-11-30T00:53:20.000Z',
  );
});

test('a rate limit without a time is one, and a warning that passed is none', async () => {
  const warning = {
    type: 'rate_limit_event',
    rate_limit_info: { status: 'allowed_warning', resetsAt: 1_796_000_000 },
  };
  const lines = [
    warning,
    said('', { error: 'rate_limit' }),
    result({ api_error_status: 429, result: 'Request rejected (429)' }),
  ];
  expect(faultOf(await readLines('claude-code', lines, { code: 1 }))).toBe('rate-limited');
});

test('words of the model or the repository are never a fault', async () => {
  const lines = [
    said(NOISE),
    { type: 'user', message: { content: [{ type: 'tool_result', content: NOISE }] } },
    NOISE,
    result({ is_error: false }),
  ];
  const reading = await readLines('claude-code', lines);
  expect(faultOf(reading)).toBe('report-missing');
  expect(reading.finalText).toBe(NOISE);
});

test('an error of the API that passed does not spoil the report after it', async () => {
  const retry = { type: 'system', subtype: 'api_retry', attempt: 1, error_status: 529, error: 'overloaded' };
  const reading = await readLines('claude-code', [retry, result({ is_error: false, structured_output: REPORT })]);
  expect(reading.report).toEqual({ kind: 'candidate', value: REPORT });
  expect(reading.reported).toBe(true);
  expect(reading.activities).toEqual(['waiting for the model: 529']);
});

test('structured output that the program gave up on is an invalid report, with its reason', async () => {
  const lines = [result({ subtype: 'error_max_structured_output_retries', errors: ['/status: must be one of'] })];
  const reading = await readLines('claude-code', lines, { code: 1 });
  expect(reading.report).toMatchObject({ fault: { code: 'report-invalid', message: /status: must be one of/ } });
});

test('what its messages tell of their tokens counts where no result came, each message once', async () => {
  const usage = { input_tokens: 10, output_tokens: 1, cache_creation_input_tokens: 100, cache_read_input_tokens: 1000 };
  const part = (id: string, more: object): object => ({
    type: 'assistant',
    message: { id, model: 'claude-x', content: [{ type: 'text', text: 't' }], usage: { ...usage, ...more } },
    parent_tool_use_id: null,
  });
  const subagent = {
    type: 'assistant',
    message: { id: 's1', model: 'small', content: [], usage: { input_tokens: 5, output_tokens: 5 } },
    parent_tool_use_id: 'toolu_1',
  };
  const lines = [part('m1', {}), part('m1', { output_tokens: 7 }), subagent, part('m2', {})];
  const ended = await readLines('claude-code', lines, { code: null, signal: 'SIGKILL', ended: true });
  expect(ended.usage).toEqual({ inputTokens: 25, outputTokens: 13, cacheWriteTokens: 200, cacheReadTokens: 2000 });
  expect([ended.costUsd, ended.model]).toEqual([null, 'claude-x']);

  const tokens = { inputTokens: 1, outputTokens: 2, cacheReadInputTokens: 3, cacheCreationInputTokens: 4 };
  const whole = result({ is_error: false, modelUsage: { x: tokens }, total_cost_usd: 0.5 });
  const reading = await readLines('claude-code', [...lines, whole]);
  expect(reading.usage).toEqual({ inputTokens: 1, outputTokens: 2, cacheWriteTokens: 4, cacheReadTokens: 3 });
  expect(reading.costUsd).toBe(0.5);
});

test('a message with usage of another shape is read all the same', async () => {
  const odd = { type: 'assistant', message: { id: 'm', content: [{ type: 'text', text: 'hi' }], usage: { n: 'x' } } };
  const reading = await readLines('claude-code', [odd]);
  expect([reading.activities, reading.usage]).toEqual([['hi'], null]);
});

test('without a result it crashed, whatever its exit code, and usage and cost are unknown', async () => {
  const reading = await readLines('claude-code', [said('hello')], { code: 0, stderr: 'out of memory' });
  expect(reading.report).toMatchObject({ fault: { code: 'agent-crashed', message: /exit code 0: out of memory/ } });
  expect([reading.usage, reading.costUsd]).toEqual([null, null]);
});

const submits = (summary: string): object =>
  result({ is_error: false, structured_output: { ...REPORT, summary }, total_cost_usd: 0.1 });
const broke = [said('', { error: 'billing_error' }), result({ api_error_status: 400, total_cost_usd: 0.2 })];

test.each([
  ['a turn that ends in prose', [said('noted'), result({ is_error: false, total_cost_usd: 0.2 })], 'first'],
  ['a turn that meets an error of the API', broke, 'first'],
  ['structured output that fails', [result({ subtype: 'error_max_structured_output_retries' })], 'first'],
  ['a later report', [...broke, submits('second')], 'second'],
])('a report stands until a later report replaces it: %s', async (_, after, summary) => {
  const reading = await readLines('claude-code', [submits('first'), ...after], { code: 1 });
  expect(reading.report).toEqual({ kind: 'candidate', value: { ...REPORT, summary } });
  expect(reading.reported).toBe(true);
});

test('a result without structured output is no report, so that no grace period begins', async () => {
  expect((await readLines('claude-code', [result({ is_error: false })])).reported).toBe(false);
  expect((await readLines('claude-code', broke)).reported).toBe(false);
});

test('a rejected request whose text states when access returns is a usage limit until then', async () => {
  const day = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10);
  const text = `API Error: 400 You have reached your specified API usage limits. You will regain access on ${day} at 00:00 UTC.`;
  const lines = (status: number) => [
    said('', { error: 'invalid_request' }),
    result({ api_error_status: status, result: text }),
  ];
  expect(faultOf(await readLines('claude-code', lines(400), { code: 1 }))).toBe(
    `usage-limited until ${day}T00:01:00.000Z`,
  );
  expect(faultOf(await readLines('claude-code', lines(401), { code: 1 }))).toBe('bad-credentials');
});
