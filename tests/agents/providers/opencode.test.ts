import { describeProgram } from '../../fixtures/agents/describe-program.ts';
import { opencode } from '../../fixtures/agents/programs.ts';

describeProgram(opencode, {
  usage: { inputTokens: 2200, outputTokens: 140, cacheWriteTokens: 0, cacheReadTokens: 500 },
  costUsd: 0.0087,
  cut: 'round-timeout',
});
