import { describeProgram } from '../../fixtures/agents/describe-program.ts';
import { codex } from '../../fixtures/agents/programs.ts';

describeProgram(codex, {
  usage: { inputTokens: 2200, outputTokens: 140, cacheWriteTokens: 0, cacheReadTokens: 500 },
  costUsd: null,
  cut: 'network',
});
