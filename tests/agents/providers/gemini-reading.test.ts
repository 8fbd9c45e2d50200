import { faultOf, readLines } from '../../fixtures/agents/read-lines.ts';

const REPORT = { status: 'blocked', summary: 's', evidence: [], nextSteps: [], blocker: 'b' };
/** What a repository or a model may say without its being a fault. */
const NOISE = 'rate limit exceeded 429 usage limit reached|1796000000 Invalid API key 401 resets 8pm (UTC)';

const stats = { input_tokens: 10, output_tokens: 5, cached: 4 };
const failed = (message: string): object => ({
  type: 'result',
  status: 'error',
  error: { type: 'unknown', message },
  stats,
});
const api = (code: number, message: string): string => `[API Error: ${JSON.stringify({ error: { code, message } })}]`;
const said = (content: string): object => ({ type: 'message', role: 'assistant', content, delta: true });

test.each([
  [api(401, 'API key not valid.'), 145, 'bad-credentials'],
  [api(400, 'API key not valid. Please pass a valid API key.'), 144, 'bad-credentials'],
  [api(400, 'The input token count (2000000) exceeds the maximum number of tokens allowed'), 144, 'context-too-long'],
  [api(400, 'API key expired. Please renew the API key.'), 144, 'bad-credentials'],
  [api(400, 'User location is not supported for the API use.'), 144, 'agent-unavailable'],
  ['[API Error: models/gemini-9 is not found for API version v1beta, or is not supported.]', 1, 'agent-unavailable'],
  [api(400, NOISE), 144, 'agent-crashed'],
  ['[API Error: You have exhausted your daily quota on this model.]\nPlease wait', 173, 'usage-limited'],
  ['[API Error: scripted 503]', 247, 'model-overloaded'],
  ['[API Error: terminated]', 1, 'network'],
  [NOISE, 1, 'agent-crashed'],
])('an error %s with exit code %d is %s', async (message, code, expected) => {
  expect(faultOf(await readLines('gemini', [failed(message)], { code }))).toBe(expected);
});

const event = (severity: string, message: string): object => ({ type: 'error', severity, message });

test('an event of severity "error" says why a result without words is one, a warning does not', async () => {
  const lines = [
    event('error', 'The model response was blocked due to safety settings.'),
    event('warning', 'Loop detected'),
    { type: 'result', status: 'error', stats },
  ];
  const { report } = await readLines('gemini', lines, { code: 1 });
  expect(report).toMatchObject({
    fault: { code: 'refusal', message: expect.stringContaining('blocked due to safety settings') },
  });
});

test('a rate limit lasts as long as it suggests', async () => {
  const reading = await readLines(
    'gemini',
    [failed('[API Error: You exceeded your current quota\nSuggested retry after 300s.]')],
    {
      code: 173,
    },
  );
  expect(faultOf(reading)).toMatch(/^rate-limited until /);
});

test('a missing login is bad credentials by its own exit code', async () => {
  expect(faultOf(await readLines('gemini', [], { code: 41, stderr: 'Please set an Auth method' }))).toBe(
    'bad-credentials',
  );
  expect(faultOf(await readLines('gemini', [], { code: 42 }))).toBe('agent-crashed');
});

test('the report is put together from the pieces after the last tool, its own echo of the prompt is not read', async () => {
  const text = `Done.\n\`\`\`json\n${JSON.stringify(REPORT)}\n\`\`\``;
  const reading = await readLines('gemini', [
    { type: 'message', role: 'user', content: JSON.stringify(REPORT) },
    said('Example: {"status":"complete"}'),
    { type: 'tool_use', tool_name: 'run_shell_command', parameters: { command: 'ls' } },
    { type: 'tool_result', status: 'success', output: NOISE },
    said(text.slice(0, 30)),
    said(text.slice(30)),
    { type: 'result', status: 'success', stats },
  ]);
  expect(reading.report).toEqual({ kind: 'candidate', value: REPORT });
  expect(reading.finalText).toBe('Done.');
  expect(reading.usage).toEqual({ inputTokens: 6, outputTokens: 5, cacheWriteTokens: 0, cacheReadTokens: 4 });
  expect(reading.activities).toContain('run_shell_command: ls');
});

test('the model that it says it works with is known, for its price', async () => {
  const init = { type: 'init', session_id: 's', model: 'gemini-x' };
  expect((await readLines('gemini', [init, { type: 'result', status: 'success', stats }])).model).toBe('gemini-x');
});

test('SIGTERM, at which it exits 0 with nothing printed, is no success', async () => {
  expect(faultOf(await readLines('gemini', [said(JSON.stringify(REPORT))]))).toBe('agent-crashed');
});

test('the prompt, which it prints too, is not taken for what the agent said', async () => {
  const lines = [
    { type: 'message', role: 'user', content: JSON.stringify(REPORT) },
    { type: 'result', status: 'success', stats },
  ];
  expect(faultOf(await readLines('gemini', lines))).toBe('report-missing');
});
