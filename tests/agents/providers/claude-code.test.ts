import { describeProgram } from '../../fixtures/agents/describe-program.ts';
import { claudeCode } from '../../fixtures/agents/programs.ts';

describeProgram(claudeCode, {
  usage: { inputTokens: 2700, outputTokens: 140, cacheWriteTokens: 0, cacheReadTokens: 500 },
  costUsd: 0.0137,
  cut: 'network',
});
