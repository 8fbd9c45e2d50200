import path from 'node:path';
import { fencedOutput } from '../../output/output-contract.ts';
import { findProgram } from '../../run/find-program.ts';
import type { AgentCommand, AgentProvider, LaunchContext } from '../../provider.ts';
import { opencodeReader } from './opencode-reader.ts';
import { opencodeSettings } from './opencode-settings.ts';

/** OpenCode, `run` with JSON events. */
export const opencode: AgentProvider = {
  name: 'opencode',
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
      'OPENAI_API_KEY',
      'GEMINI_API_KEY',
      'GOOGLE_GENERATIVE_AI_API_KEY',
      'OPENROUTER_API_KEY',
      'OPENCODE_API_KEY',
      'GROQ_API_KEY',
      'MISTRAL_API_KEY',
      'DEEPSEEK_API_KEY',
      'XAI_API_KEY',
      'AZURE_API_KEY',
      'AZURE_RESOURCE_NAME',
      'AWS_BEARER_TOKEN_BEDROCK',
      'AWS_REGION',
    ],
    // Some of its models need none.
    keys: [],
  },
  homeFiles({ HOME: home, XDG_DATA_HOME: data, XDG_CONFIG_HOME: config }) {
    const below = (stated: string | undefined, usual: string): string | null =>
      stated ?? (home === undefined ? null : path.join(home, usual));
    const logins = below(data, '.local/share');
    const settings = below(config, '.config');
    return [
      ...(logins === null
        ? []
        : [
            {
              from: path.join(logins, 'opencode/auth.json'),
              to: '.local/share/opencode/auth.json',
              login: true,
              renews: true,
            },
          ]),
      ...(settings === null
        ? []
        : ['opencode.json', 'opencode.jsonc'].map((name) => ({
            from: path.join(settings, 'opencode', name),
            to: path.join('.config/opencode', name),
            login: false,
            renews: false,
          }))),
    ];
  },
  repositorySettings: ['opencode.json', 'opencode.jsonc', '.opencode/**'],
  program: {
    name: 'opencode',
    install: 'npm install -g opencode-ai',
    login: 'opencode auth login',
    leastVersion: '1.17.19',
    testedVersion: '1.18.33',
    isScript: false,
  },
  howToSubmit: fencedOutput,
  check: () => undefined,
  prepare,
  reader: opencodeReader,
};

async function prepare(context: LaunchContext): Promise<AgentCommand> {
  const { spec, workerEnv } = context;
  const settings = await opencodeSettings(context);
  const { command, readable } = await findProgram(opencode, workerEnv);
  return {
    argv: [
      ...command,
      'run',
      '--format=json',
      '--pure',
      '--auto',
      // Its log says what it waits for.
      '--log-level=INFO',
      ...settings.argv,
      // Without a title it asks a model for one.
      '--title=round',
      ...(spec.model === null ? [] : [`--model=${spec.model}`]),
    ],
    env: {
      ...settings.env,
      OPENCODE_DISABLE_AUTOUPDATE: '1',
      OPENCODE_DISABLE_DEFAULT_PLUGINS: '1',
    },
    readable,
  };
}
