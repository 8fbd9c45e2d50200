import { describeProgram } from '../../fixtures/agents/describe-program.ts';
import { opencode } from '../../fixtures/agents/programs.ts';

describeProgram(opencode, {
  usage: { inputTokens: 2200, outputTokens: 140, cacheWriteTokens: 0, cacheReadTokens: 500 },
  costUsd: 0.0087,
  cut: 'round-timeout',
  faults: [
    {
      what: '429 that it waits out by itself for longer than it waits without being told to',
      code: 'usage-limited',
      answer: () => ({
        status: 429,
        headers: { 'retry-after': '3600' },
        body: { error: { message: 'Weekly usage limit reached' } },
      }),
      roundTimeoutMs: 100_000,
    },
    {
      what: 'a model that is not there',
      code: 'agent-unavailable',
      answer: () => ({
        status: 404,
        body: { error: { message: 'The model `m` does not exist', code: 'model_not_found' } },
      }),
    },
  ],
});
