import { describeProgram } from '../../fixtures/agents/describe-program.ts';
import { opencode } from '../../fixtures/agents/programs.ts';

describeProgram(opencode, {
  usage: { inputTokens: 2200, outputTokens: 140, cacheWriteTokens: 0, cacheReadTokens: 500 },
  costUsd: 0.0087,
  cut: 'round-timeout',
  faults: [
    // A wait for a limit takes a minute to tell: the matrix has it.
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
