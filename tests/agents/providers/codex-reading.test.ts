import { faultOf, readLines } from '../../fixtures/agents/read-lines.ts';

const REPORT = { status: 'blocked', summary: 's', evidence: [], nextSteps: [], blocker: 'b' };
/** What a repository or a model may say without its being a fault. */
const NOISE = 'rate limit exceeded 429 usage limit reached|1796000000 Invalid API key 401 resets 8pm (UTC)';

const failed = (message: string): object[] => [
  { type: 'error', message: `Reconnecting... 1/5 (${message})` },
  { type: 'error', message },
  { type: 'turn.failed', error: { message } },
];

test.each([
  ['unexpected status 401 Unauthorized: Incorrect API key provided, url: http://x', 'bad-credentials'],
  ['unexpected status 529 <unknown status code>: scripted, url: http://x', 'model-overloaded'],
  ['unexpected status 404 Not Found: scripted 429, url: http://x', 'agent-unavailable'],
  ['exceeded retry limit, last status: 429 Too Many Requests', 'rate-limited'],
  ['exceeded retry limit, last status: 503 Service Unavailable', 'model-overloaded'],
  ['Quota exceeded. Check your plan and billing details.', 'no-credit'],
  ["Codex ran out of room in the model's context window. Start a new thread.", 'context-too-long'],
  ['We’re currently experiencing high demand, which may cause temporary errors.', 'model-overloaded'],
  ['stream disconnected before completion: Transport error: network error', 'network'],
  ['The model `gpt-9` does not exist or you do not have access to it.', 'agent-unavailable'],
  [`{"detail":"The 'gpt-9' model is not supported when using Codex with a ChatGPT account."}`, 'agent-unavailable'],
  ['To use Codex with your ChatGPT plan, upgrade to Plus: https://chatgpt.com/explore/plus.', 'no-credit'],
  ['{"error":{"message":"Invalid schema for response_format","code":"invalid_json_schema"}}', 'agent-crashed'],
  ['unexpected status 403 Forbidden: Country, region, or territory not supported, url: http://x', 'agent-unavailable'],
  ['unexpected status 422 Unprocessable Entity: bad field, url: http://x', 'agent-crashed'],
  ['Incomplete response returned, reason: content_filter', 'refusal'],
  ['Incomplete response returned, reason: max_output_tokens', 'agent-crashed'],
  ['stream disconnected before completion: Incomplete response returned, reason: content_filter', 'refusal'],
  ['stream disconnected before completion: Incomplete response returned, reason: max_output_tokens', 'agent-crashed'],
  ['Invalid prompt: your prompt was flagged as potentially violating our usage policy.', 'refusal'],
  [`something new: ${NOISE}`, 'agent-crashed'],
  ['the test printed: unexpected status 401 Unauthorized', 'agent-crashed'],
])('a turn that failed with "%s" is %s', async (message, code) => {
  expect(faultOf(await readLines('codex', failed(message), { code: 1 }))).toBe(code);
});

test('a rejected request has its HTTP status: that of the message, or 400 where the body is passed on as it came', async () => {
  for (const [message, status] of [
    ['unexpected status 422 Unprocessable Entity: bad field, url: http://x', 422],
    ['{"error":{"message":"Invalid schema","code":"invalid_json_schema"}}', 400],
  ] as const) {
    expect((await readLines('codex', failed(message), { code: 1 })).report).toMatchObject({ fault: { status } });
  }
});

test('a usage limit lasts until the time that its sentence states', async () => {
  const ends = new Date(Date.now() + 3 * 86_400_000);
  const day = ends.toLocaleDateString('en-US', { month: 'short', day: 'numeric' });
  const message = `You’ve hit your usage limit. Upgrade to Pro or try again at ${day}th, ${ends.getFullYear()} 12:53 AM.`;
  // The minute's end, on this machine's clock.
  const at = new Date(ends.getFullYear(), ends.getMonth(), ends.getDate(), 0, 54);
  expect(faultOf(await readLines('codex', failed(message), { code: 1 }))).toBe(
    `usage-limited until ${at.toISOString()}`,
  );
});

test('a stated end that cannot be true is named and not waited for', async () => {
  const message = 'You’ve hit your usage limit. Upgrade to Pro or try again at Nov 30th, 2099 12:53 AM.';
  const { report } = await readLines('codex', failed(message), { code: 1 });
  expect(report).toMatchObject({
    fault: {
      code: 'usage-limited',
      resetAt: null,
      message: expect.stringMatching(/not waited for: .* away, longer than/),
    },
  });
});

test('a reconnection that worked is no fault, and input without the cached is what counts', async () => {
  const reading = await readLines('codex', [
    { type: 'error', message: 'Reconnecting... 1/5 (unexpected status 401)' },
    { type: 'item.completed', item: { type: 'agent_message', text: NOISE } },
    { type: 'item.completed', item: { type: 'agent_message', text: JSON.stringify(REPORT) } },
    {
      type: 'turn.completed',
      usage: { input_tokens: 100, cached_input_tokens: 60, cache_write_input_tokens: 10, output_tokens: 5 },
    },
  ]);
  expect(reading.report).toEqual({ kind: 'candidate', value: REPORT });
  expect(reading.usage).toEqual({ inputTokens: 30, outputTokens: 5, cacheWriteTokens: 10, cacheReadTokens: 60 });
  expect(reading.reported).toBe(true);
});

test('where it was ended as it waited for its model, what it waited for is the fault; work in between is none', async () => {
  const waits = {
    type: 'error',
    message: 'Reconnecting... 2/5 (exceeded retry limit, last status: 429 Too Many Requests)',
  };
  const ended = { code: null, signal: 'SIGKILL', ended: true } as const;
  expect(faultOf(await readLines('codex', [waits], ended))).toBe('rate-limited');
  expect(faultOf(await readLines('codex', [waits], { code: 1 }))).toBe('agent-crashed');
  const works = { type: 'item.started', item: { type: 'command_execution', command: 'npm test' } };
  expect(faultOf(await readLines('codex', [waits, works], ended))).toBe('agent-crashed');
});

test('a report in a turn that did not complete does not count', async () => {
  const lines = [{ type: 'item.completed', item: { type: 'agent_message', text: JSON.stringify(REPORT) } }];
  const reading = await readLines('codex', lines, { code: null, signal: 'SIGKILL' });
  expect(reading.report).toMatchObject({ fault: { code: 'agent-crashed', message: /ended by SIGKILL/ } });
  expect(reading.reported).toBe(false);
});
