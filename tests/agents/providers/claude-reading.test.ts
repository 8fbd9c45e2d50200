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

test('without a result it crashed, whatever its exit code, and usage and cost are unknown', async () => {
  const reading = await readLines('claude-code', [said('hello')], { code: 0, stderr: 'out of memory' });
  expect(reading.report).toMatchObject({ fault: { code: 'agent-crashed', message: /exit code 0: out of memory/ } });
  expect([reading.usage, reading.costUsd]).toEqual([null, null]);
});
