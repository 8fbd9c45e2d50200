import { describeProgram } from '../../fixtures/agents/describe-program.ts';
import { gemini } from '../../fixtures/agents/programs.ts';

const rejected = (status: number, message: string) => () => ({
  status,
  body: { error: { code: status, message, status: 'INVALID_ARGUMENT' } },
});

describeProgram(gemini, {
  usage: { inputTokens: 2200, outputTokens: 140, cacheWriteTokens: 0, cacheReadTokens: 500 },
  costUsd: null,
  cut: 'network',
  faults: [
    { what: 'an answer that a filter blocked', code: 'refusal', answer: () => ({ stop: 'SAFETY' }) },
    {
      what: 'a key that expired',
      code: 'bad-credentials',
      answer: rejected(400, 'API key expired. Please renew the API key.'),
    },
    {
      what: 'a model that is not there',
      code: 'agent-unavailable',
      answer: rejected(404, 'models/gemini-9 is not found for API version v1beta, or is not supported.'),
    },
    {
      what: 'a place that is not served',
      code: 'agent-unavailable',
      answer: rejected(400, 'User location is not supported for the API use.'),
    },
  ],
});
