import { describeProgram } from '../../fixtures/agents/describe-program.ts';
import { codex } from '../../fixtures/agents/programs.ts';

const NO_MODEL = 'The model `gpt-9` does not exist or you do not have access to it.';
const NOT_IN_PLAN = "The 'gpt-9' model is not supported when using Codex with a ChatGPT account.";
const flagged = 'Invalid prompt: your prompt was flagged as potentially violating our usage policy.';

describeProgram(codex, {
  usage: { inputTokens: 2200, outputTokens: 140, cacheWriteTokens: 0, cacheReadTokens: 500 },
  costUsd: null,
  cut: 'network',
  faults: [
    {
      what: "a plan's limit that is used up",
      code: 'usage-limited',
      resets: true,
      answer: (reset) => ({
        status: 429,
        body: { error: { type: 'usage_limit_reached', message: 'm', plan_type: 'plus', resets_at: reset } },
      }),
    },
    {
      what: '429 that it waits out by itself for longer than it may be idle',
      code: 'rate-limited',
      answer: () => ({ status: 429, headers: { 'retry-after': '3600' } }),
      idleTimeoutMs: 8_000,
    },
    { what: '529', code: 'model-overloaded', answer: () => ({ status: 529 }) },
    {
      what: 'a model at its capacity, said in the stream',
      code: 'model-overloaded',
      answer: () => ({ failed: { code: 'server_is_overloaded', message: 'Our servers are currently overloaded.' } }),
    },
    {
      what: 'credit that is exhausted',
      code: 'no-credit',
      answer: () => ({ status: 429, body: { error: { type: 'insufficient_quota', code: 'insufficient_quota' } } }),
    },
    {
      what: 'a model that the account has no access to',
      code: 'agent-unavailable',
      answer: () => ({ status: 404, body: { error: { message: NO_MODEL, code: 'model_not_found' } } }),
    },
    {
      what: "a model that the account's plan does not have",
      code: 'agent-unavailable',
      answer: () => ({ status: 400, body: { detail: NOT_IN_PLAN } }),
    },
    {
      what: 'a plan without Codex',
      code: 'no-credit',
      answer: () => ({ status: 429, body: { error: { type: 'usage_not_included', message: 'm' } } }),
    },
    {
      what: 'an answer that a filter stopped',
      code: 'refusal',
      answer: () => ({ text: 'I cannot', incomplete: 'content_filter' }),
    },
    {
      what: 'a prompt that was flagged',
      code: 'refusal',
      answer: () => ({ failed: { code: 'invalid_prompt', message: flagged } }),
    },
  ],
});
