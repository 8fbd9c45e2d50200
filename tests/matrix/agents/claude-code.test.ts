import { describeProgram } from '../../fixtures/agents/describe-program.ts';
import { claudeCode } from '../../fixtures/agents/programs.ts';

const rejected = (status: number, message: string) => () => ({
  status,
  body: { type: 'error', error: { type: 'invalid_request_error', message } },
});
const broke = 'Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing.';

describeProgram(claudeCode, {
  usage: { inputTokens: 2700, outputTokens: 140, cacheWriteTokens: 0, cacheReadTokens: 500 },
  costUsd: 0.0137,
  cut: 'network',
  faults: [
    {
      what: "a plan's limit that is used up",
      code: 'usage-limited',
      resets: true,
      answer: (reset) => ({
        status: 429,
        headers: {
          'retry-after': '18000',
          'anthropic-ratelimit-unified-status': 'rejected',
          'anthropic-ratelimit-unified-reset': String(reset),
          'anthropic-ratelimit-unified-representative-claim': 'five_hour',
          'anthropic-ratelimit-unified-5h-status': 'rejected',
          'anthropic-ratelimit-unified-5h-reset': String(reset),
          'anthropic-ratelimit-unified-5h-utilization': '1.0',
          'anthropic-ratelimit-unified-overage-status': 'rejected',
        },
      }),
      configure: ({ url }) => ({ CLAUDE_CODE_OAUTH_TOKEN: 'k', ANTHROPIC_BASE_URL: url, CLAUDE_CODE_MAX_RETRIES: '1' }),
    },
    {
      what: '429 that its retries do not outlast',
      code: 'rate-limited',
      answer: () => ({ status: 429, headers: { 'retry-after': '3600' } }),
    },
    { what: '529', code: 'model-overloaded', answer: () => ({ status: 529 }) },
    {
      what: 'credit that is exhausted',
      code: 'no-credit',
      answer: rejected(400, broke),
    },
    {
      what: 'a key of an organization that was disabled',
      code: 'bad-credentials',
      answer: rejected(400, 'This organization has been disabled.'),
    },
    {
      what: 'an output that a filter blocked',
      code: 'refusal',
      answer: rejected(400, 'Output blocked by content filtering policy'),
    },
    {
      what: 'a prompt that leaves no room for an answer',
      code: 'context-too-long',
      answer: rejected(400, 'input length and `max_tokens` exceed context limit: 190000 + 32000 > 200000'),
    },
    {
      what: 'a key that it would try eleven times',
      code: 'bad-credentials',
      answer: () => ({ status: 401 }),
      configure: ({ url }) => ({ ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: url }),
      mostRequests: 6,
    },
    {
      what: 'a refusal by the model',
      code: 'refusal',
      answer: () => ({ text: 'I cannot help with that.', stop: 'refusal' }),
    },
  ],
});
