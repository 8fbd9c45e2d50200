import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { LaunchContext, WorkerEnv } from '../../provider.ts';
import { mergeTables } from '../tree-settings.ts';

const KEEP_OUT = fileURLToPath(new URL('keep-out.mjs', import.meta.url));
const SETTINGS = '.gemini/settings.json';

/**
 * What decides where the model is, what it is sent beside, and which model answers. Gemini CLI takes a variable from a
 * file only where it is not set: each is set, to nothing where the user has none.
 */
const PINNED = [
  'GOOGLE_GEMINI_BASE_URL',
  'GOOGLE_VERTEX_BASE_URL',
  'CODE_ASSIST_ENDPOINT',
  'GEMINI_CLI_CUSTOM_HEADERS',
  'GEMINI_API_KEY',
  'GOOGLE_API_KEY',
  'GOOGLE_GENAI_USE_VERTEXAI',
  'GEMINI_MODEL',
  'GEMINI_SYSTEM_MD',
  'GEMINI_TELEMETRY_ENABLED',
  'GEMINI_TELEMETRY_OTLP_ENDPOINT',
  'GEMINI_SANDBOX',
];
const PROXIES = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'NO_PROXY'].flatMap((name) => [name, name.toLowerCase()]);

/** Options of Node and variables that decide what Gemini CLI loads. */
export interface GeminiSettings {
  readonly node: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/**
 * Write Gemini CLI's settings into the private HOME, and keep it from the repository's own: a trusted folder's settings
 * apply, and in one that is not trusted it refuses to run git.
 */
export async function geminiSettings(
  context: LaunchContext,
  passed: Readonly<Record<string, string>>,
): Promise<GeminiSettings> {
  const { tree, home, output, workerEnv } = context;
  const reviews = output.name === 'review';
  const folder = path.join(home, '.gemini');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const allowed = context.repositoryHooks && !reviews;
  const settings = {
    // Without a chosen login Gemini CLI ends at once with exit code 41.
    security: { auth: { selectedType: loginType(workerEnv) } },
    general: { enableAutoUpdate: false },
    privacy: { usageStatisticsEnabled: false },
    telemetry: { enabled: false },
    ...(allowed
      ? {
          hooks: await mergeTables(tree, [SETTINGS], 'hooks'),
          mcpServers: await mergeTables(tree, [SETTINGS], 'mcpServers'),
        }
      : {}),
  };
  await writeFile(path.join(folder, 'settings.json'), JSON.stringify(settings), { mode: 0o600 });
  const keepOut = path.join(folder, 'keep-out.mjs');
  await copyFile(KEEP_OUT, keepOut);
  const url = pathToFileURL(keepOut);
  for (const name of ['.gemini', ...(reviews ? ['.agents', 'GEMINI.md'] : [])]) url.searchParams.append('hide', name);
  const set = new Set([...Object.keys(passed), ...PROXIES.filter((name) => (workerEnv[name] ?? '') !== '')]);
  const unset = [...PINNED, ...PROXIES].filter((name) => !set.has(name));
  return { node: [`--import=${url.href}`], env: Object.fromEntries(unset.map((name) => [name, ''])) };
}

function loginType(workerEnv: WorkerEnv): string {
  const isSet = (name: string): boolean => (workerEnv[name] ?? '') !== '';
  if (isSet('GEMINI_API_KEY')) return 'gemini-api-key';
  return isSet('GOOGLE_API_KEY') || isSet('GOOGLE_GENAI_USE_VERTEXAI') ? 'vertex-ai' : 'oauth-personal';
}
