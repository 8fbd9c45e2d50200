import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { findProgram } from '../../run/find-program.ts';
import type { AgentCommand, AgentProvider, LaunchContext } from '../../provider.ts';
import { codexReader } from './codex-reader.ts';
import { CODEX_HOME } from './codex-session.ts';

/** OpenAI's Codex, `exec` with JSON events and an output schema. */
export const codex: AgentProvider = {
  name: 'codex',
  capabilities: {
    freshContext: true,
    structuredReport: true,
    exitCounts: false,
    tellsTokens: true,
    tellsCost: false,
  },
  environment: {
    passed: [
      'CODEX_API_KEY',
      'OPENAI_API_KEY',
      'OPENAI_BASE_URL',
      'OPENAI_ORGANIZATION',
      'OPENAI_PROJECT',
      'AZURE_OPENAI_API_KEY',
    ],
    keys: ['CODEX_API_KEY', 'OPENAI_API_KEY'],
  },
  homeFiles({ CODEX_HOME: stated, HOME: home }) {
    const folder = stated ?? (home === undefined ? undefined : path.join(home, '.codex'));
    if (folder === undefined) return [];
    return [
      { from: path.join(folder, 'auth.json'), to: `${CODEX_HOME}/auth.json`, login: true, renews: true },
      // Names the model's provider, which may need no key.
      { from: path.join(folder, 'config.toml'), to: `${CODEX_HOME}/config.toml`, login: true, renews: false },
    ];
  },
  repositorySettings: ['.codex/**'],
  program: {
    name: 'codex',
    install: 'npm install -g @openai/codex',
    login: 'codex login',
    leastVersion: '0.106.0',
    testedVersion: '0.171.0',
    isScript: false,
  },
  howToSubmit: ({ name }) => `Your final message is the ${name}: the JSON object and nothing else, before or after it.`,
  check: () => undefined,
  prepare,
  reader: codexReader,
};

async function prepare({ spec, output, tree, home, workerEnv }: LaunchContext): Promise<AgentCommand> {
  const { command, readable } = await findProgram(codex, workerEnv);
  const codexHome = path.join(home, CODEX_HOME);
  const schema = path.join(codexHome, 'output.schema.json');
  await mkdir(codexHome, { recursive: true, mode: 0o700 });
  await writeFile(schema, JSON.stringify(output.jsonSchema), { mode: 0o600 });
  const key = workerEnv['CODEX_API_KEY'] ?? workerEnv['OPENAI_API_KEY'];
  return {
    argv: [
      ...command,
      'exec',
      '--json',
      '--skip-git-repo-check',
      ...configured(QUIET),
      // The sandbox is the engine's; Codex's own would also keep it from committing.
      '--dangerously-bypass-approvals-and-sandbox',
      `--output-schema=${schema}`,
      `--cd=${tree}`,
      ...(output.name === 'review' ? withoutCheckout(tree) : []),
      ...(spec.model === null ? [] : [`--model=${spec.model}`]),
      '-',
    ],
    // `codex exec` takes its key from CODEX_API_KEY alone.
    env: { CODEX_HOME: codexHome, ...(key === undefined || key === '' ? {} : { CODEX_API_KEY: key }) },
    readable,
  };
}

/** A reviewer reads no instructions and no skills of what it judges, and takes no settings from it whomever the user trusts. */
function withoutCheckout(tree: string): string[] {
  const untrusted = `projects={${JSON.stringify(tree)}={trust_level="untrusted"}}`;
  return configured(['project_doc_max_bytes=0', 'skills.include_instructions=false', untrusted]);
}

/** It asks the model's server and no other host: the private HOME holds no plugins that it could bring up to date. */
const QUIET = [
  'check_for_update_on_startup=false',
  'analytics.enabled=false',
  'otel.metrics_exporter="none"',
  'features.plugins=false',
  'features.apps=false',
];

const configured = (settings: readonly string[]): string[] => settings.map((each) => `--config=${each}`);
