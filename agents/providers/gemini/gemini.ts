import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fencedOutput } from '../../output/fenced-output.ts';
import { findProgram } from '../../run/find-program.ts';
import type { AgentCommand, AgentProvider, LaunchContext, WorkerEnv } from '../../provider.ts';
import { geminiReader } from './gemini-reader.ts';

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
  program: { name: 'gemini', install: 'npm install -g @google/gemini-cli' },
  handIn: fencedOutput,
  check: () => undefined,
  prepare,
  reader: geminiReader,
};

async function prepare({ spec, home, workerEnv }: LaunchContext): Promise<AgentCommand> {
  const { file, readable } = await findProgram(gemini, workerEnv);
  const folder = path.join(home, '.gemini');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writeFile(path.join(folder, 'settings.json'), JSON.stringify(settings(workerEnv)), { mode: 0o600 });
  return {
    argv: [
      file,
      '--output-format=stream-json',
      // The sandbox is the engine's; nobody is there to be asked.
      '--yolo',
      '--skip-trust',
      ...(spec.model === null ? [] : [`--model=${spec.model}`]),
    ],
    // Else it starts itself a second time, with more memory.
    env: { GEMINI_CLI_NO_RELAUNCH: 'true' },
    readable,
  };
}

/** Without a chosen login Gemini CLI ends at once with exit code 41. */
function settings(workerEnv: WorkerEnv): object {
  return {
    security: { auth: { selectedType: loginType(workerEnv) } },
    general: { enableAutoUpdate: false },
    privacy: { usageStatisticsEnabled: false },
  };
}

function loginType(workerEnv: WorkerEnv): string {
  const isSet = (name: string): boolean => (workerEnv[name] ?? '') !== '';
  if (isSet('GEMINI_API_KEY')) return 'gemini-api-key';
  return isSet('GOOGLE_API_KEY') || isSet('GOOGLE_GENAI_USE_VERTEXAI') ? 'vertex-ai' : 'oauth-personal';
}
