import path from 'node:path';
import { fencedOutput } from '../../output/output-contract.ts';
import { findProgram } from '../../run/find-program.ts';
import { passedEnvironment } from '../../run/environment.ts';
import type { AgentCommand, AgentProvider, LaunchContext } from '../../provider.ts';
import { geminiReader } from './gemini-reader.ts';
import { geminiSettings } from './gemini-settings.ts';

/** Google's Gemini CLI, headless, with its stream of JSON events. */
export const gemini: AgentProvider = {
  name: 'gemini',
  capabilities: {
    freshContext: true,
    structuredReport: true,
    exitCounts: false,
    tellsTokens: true,
    tellsCost: false,
  },
  environment: {
    passed: [
      'GEMINI_API_KEY',
      'GOOGLE_API_KEY',
      'GOOGLE_GEMINI_BASE_URL',
      'GOOGLE_GENAI_USE_VERTEXAI',
      'GOOGLE_CLOUD_PROJECT',
      'GOOGLE_CLOUD_LOCATION',
    ],
    keys: ['GEMINI_API_KEY', 'GOOGLE_API_KEY', 'GOOGLE_GENAI_USE_VERTEXAI'],
  },
  homeFiles({ HOME: home }) {
    if (home === undefined) return [];
    const folder = path.join(home, '.gemini');
    return [
      { from: path.join(folder, 'oauth_creds.json'), to: '.gemini/oauth_creds.json', login: true, renews: true },
      {
        from: path.join(folder, 'google_accounts.json'),
        to: '.gemini/google_accounts.json',
        login: false,
        renews: false,
      },
    ];
  },
  repositorySettings: ['.gemini/**', '.env'],
  program: {
    name: 'gemini',
    install: 'npm install -g @google/gemini-cli',
    login: 'gemini',
    leastVersion: '0.41.2',
    testedVersion: '0.61.0',
    isScript: true,
  },
  howToSubmit: fencedOutput,
  check: () => undefined,
  prepare,
  reader: geminiReader,
};

async function prepare(context: LaunchContext): Promise<AgentCommand> {
  const { spec, workerEnv } = context;
  const { command, readable } = await findProgram(gemini, workerEnv);
  const [node, ...script] = command;
  if (node === undefined) throw new TypeError('a program is started by something');
  const settings = await geminiSettings(context, passedEnvironment(gemini, workerEnv));
  return {
    argv: [
      node,
      ...settings.node,
      ...script,
      '--output-format=stream-json',
      // The sandbox is the engine's; nobody is there to be asked.
      '--yolo',
      '--skip-trust',
      ...(spec.model === null ? [] : [`--model=${spec.model}`]),
    ],
    // Else it starts itself a second time, with more memory.
    env: { GEMINI_CLI_NO_RELAUNCH: 'true', ...settings.env },
    readable,
  };
}
