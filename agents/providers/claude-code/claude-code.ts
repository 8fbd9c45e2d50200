import path from 'node:path';
import { hasKey, passedEnvironment } from '../../run/environment.ts';
import { findProgram } from '../../run/find-program.ts';
import type { AgentCommand, AgentProvider, LaunchContext } from '../../provider.ts';
import { claudeReader } from './claude-reader.ts';
import { claudeSettings } from './claude-settings.ts';

/** Anthropic's Claude Code, headless, with its stream of JSON events and its structured output. */
export const claudeCode: AgentProvider = {
  name: 'claude-code',
  capabilities: {
    freshContext: true,
    structuredReport: true,
    exitCounts: false,
    tellsTokens: true,
    tellsCost: true,
  },
  environment: {
    passed: [
      'ANTHROPIC_API_KEY',
      'ANTHROPIC_AUTH_TOKEN',
      'CLAUDE_CODE_OAUTH_TOKEN',
      'ANTHROPIC_BASE_URL',
      'ANTHROPIC_CUSTOM_HEADERS',
      'ANTHROPIC_SMALL_FAST_MODEL',
      'CLAUDE_CODE_USE_BEDROCK',
      'AWS_BEARER_TOKEN_BEDROCK',
      'AWS_REGION',
      'CLAUDE_CODE_USE_VERTEX',
      'ANTHROPIC_VERTEX_PROJECT_ID',
      'CLOUD_ML_REGION',
      'CLAUDE_CODE_MAX_RETRIES',
      'CLAUDE_CODE_MAX_OUTPUT_TOKENS',
    ],
    keys: [
      'ANTHROPIC_API_KEY',
      'CLAUDE_CODE_OAUTH_TOKEN',
      'ANTHROPIC_AUTH_TOKEN',
      'CLAUDE_CODE_USE_BEDROCK',
      'CLAUDE_CODE_USE_VERTEX',
    ],
  },
  homeFiles({ CLAUDE_CONFIG_DIR: config, HOME: home }) {
    const folder = config ?? (home === undefined ? undefined : path.join(home, '.claude'));
    if (folder === undefined) return [];
    return [
      { from: path.join(folder, '.credentials.json'), to: '.claude/.credentials.json', login: true, renews: true },
    ];
  },
  program: {
    name: 'claude',
    install: 'npm install -g @anthropic-ai/claude-code',
    login: 'claude auth login',
    leastVersion: '2.1.170',
    testedVersion: '2.1.332',
    isScript: false,
  },
  repositorySettings: [
    '.claude/settings.json',
    '.claude/settings.local.json',
    '.claude/agents/**',
    '.claude/commands/**',
    '.claude/skills/**',
    '.mcp.json',
  ],
  howToSubmit: ({ name }) => `Hand in the ${name} as your structured output, once, when everything else is done.`,
  check: () => undefined,
  prepare,
  reader: ({ output, workerEnv }) => claudeReader({ output, usesLogin: !hasKey(claudeCode, workerEnv) }),
};

async function prepare(context: LaunchContext): Promise<AgentCommand> {
  const { spec, output, workerEnv } = context;
  const { command, readable } = await findProgram(claudeCode, workerEnv);
  const settings = await claudeSettings(context, passedEnvironment(claudeCode, workerEnv));
  return {
    argv: [
      ...command,
      '--print',
      '--output-format=stream-json',
      '--verbose',
      `--json-schema=${JSON.stringify(output.jsonSchema)}`,
      '--no-session-persistence',
      // The sandbox is the engine's; nobody is there to be asked.
      '--dangerously-skip-permissions',
      ...settings.argv,
      ...(spec.model === null ? [] : [`--model=${spec.model}`]),
    ],
    env: {
      ...settings.env,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
      // Claude Code refuses to skip permissions as root, unless told that it stands in a sandbox.
      ...(process.getuid?.() === 0 ? { IS_SANDBOX: '1' } : {}),
    },
    readable,
  };
}
