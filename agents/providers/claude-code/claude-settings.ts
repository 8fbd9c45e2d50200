import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { readHomeFile } from '../../logins/read-home-file.ts';
import type { LaunchContext } from '../../provider.ts';
import { entriesIn, mergeTables, presentIn } from '../tree-settings.ts';

/**
 * Every variable that decides where Claude Code's model is, who it says it is, and which model answers. Each is pinned
 * in the settings of the command line, to the user's own value or to nothing: those settings win over every other file.
 */
const PINNED = [
  'ANTHROPIC_API_KEY',
  'ANTHROPIC_AUTH_TOKEN',
  'CLAUDE_CODE_OAUTH_TOKEN',
  'ANTHROPIC_BASE_URL',
  'ANTHROPIC_UNIX_SOCKET',
  'ANTHROPIC_CUSTOM_HEADERS',
  'ANTHROPIC_MODEL',
  'ANTHROPIC_SMALL_FAST_MODEL',
  'CLAUDE_CODE_SUBAGENT_MODEL',
  ...['OPUS', 'SONNET', 'HAIKU', 'FABLE'].map((model) => `ANTHROPIC_DEFAULT_${model}_MODEL`),
  ...['BEDROCK', 'VERTEX', 'FOUNDRY', 'MANTLE', 'ANTHROPIC_AWS', 'GATEWAY'].map((cloud) => `CLAUDE_CODE_USE_${cloud}`),
  ...['BEDROCK', 'BEDROCK_MANTLE', 'VERTEX', 'FOUNDRY', 'AWS'].map((cloud) => `ANTHROPIC_${cloud}_BASE_URL`),
  'AWS_BEARER_TOKEN_BEDROCK',
  'AWS_REGION',
  'AWS_ENDPOINT_URL',
  'AWS_ENDPOINT_URL_BEDROCK_RUNTIME',
  'ANTHROPIC_VERTEX_PROJECT_ID',
  'CLOUD_ML_REGION',
  'ANTHROPIC_FOUNDRY_API_KEY',
  'NODE_TLS_REJECT_UNAUTHORIZED',
  'CLAUDE_CODE_CLIENT_CERT',
  'CLAUDE_CODE_CLIENT_KEY',
  'CLAUDE_CODE_API_KEY_HELPER_TTL_MS',
  'CLAUDE_CODE_ENABLE_TELEMETRY',
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  'OTEL_EXPORTER_OTLP_HEADERS',
];

/** How this machine reaches a network: every command gets what the worker has of these. */
const MACHINE = [
  ...['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'NO_PROXY'].flatMap((name) => [name, name.toLowerCase()]),
  'NODE_EXTRA_CA_CERTS',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
];

/** What of a repository's `.claude` is instructions and nothing else. */
const INSTRUCTIONS: ReadonlySet<string> = new Set(['CLAUDE.md', 'rules']);
const SETTINGS = ['.claude/settings.json', '.claude/settings.local.json'];
const SERVERS = '.mcp.json';

/** Arguments and variables that decide what Claude Code loads. */
export interface ClaudeSettings {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/**
 * Write Claude Code's settings into the private HOME and name them. A reviewer loads nothing of the checkout. An agent
 * reads the repository's instructions; where the repository has settings as well, all of them are left out, and only the
 * instructions of its top folder are added.
 */
export async function claudeSettings(
  context: LaunchContext,
  passed: Readonly<Record<string, string>>,
): Promise<ClaudeSettings> {
  const { tree, home, output, workerEnv } = context;
  const reviews = output.name === 'review';
  const allowed = context.repositoryHooks && !reviews;
  const hooks = allowed ? await mergeTables(tree, SETTINGS, 'hooks') : {};
  const servers = allowed ? await mergeTables(tree, [SERVERS], 'mcpServers') : {};
  const settings = await put(home, 'settings-of-the-run.json', {
    env: Object.fromEntries([
      ...PINNED.map((name) => [name, passed[name] ?? '']),
      ...MACHINE.map((name) => [name, workerEnv[name] ?? '']),
    ]),
    ...(allowed ? { hooks } : { disableAllHooks: true }),
  });
  const argv = [`--settings=${settings}`, '--strict-mcp-config'];
  if (Object.keys(servers).length > 0) {
    argv.push(`--mcp-config=${await put(home, 'servers-of-the-run.json', { mcpServers: servers })}`);
  }
  if (reviews) return { argv: [...argv, '--setting-sources='], env: {} };
  if (await hasInstructionsOnly(tree)) return { argv: [...argv, '--setting-sources=project'], env: {} };
  const folders = [tree, ...(await agentsFile(tree, home))];
  return {
    argv: [...argv, '--setting-sources=', ...folders.map((folder) => `--add-dir=${folder}`)],
    env: { CLAUDE_CODE_ADDITIONAL_DIRECTORIES_CLAUDE_MD: '1' },
  };
}

async function hasInstructionsOnly(tree: string): Promise<boolean> {
  const entries = await entriesIn(tree, '.claude');
  return entries !== null && entries.every((name) => INSTRUCTIONS.has(name));
}

/** AGENTS.md is read in the place of a CLAUDE.md that is missing: an added folder has that rule for CLAUDE.md alone. */
async function agentsFile(tree: string, home: string): Promise<string[]> {
  if ((await presentIn(tree, ['CLAUDE.md', '.claude/CLAUDE.md'])).length > 0) return [];
  const text = await readHomeFile(tree, 'AGENTS.md');
  if (text === null) return [];
  const folder = path.join(home, 'instructions');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writeFile(path.join(folder, 'CLAUDE.md'), text, { mode: 0o600 });
  return [folder];
}

/** The values of keys are in it: never in argv. */
async function put(home: string, name: string, content: object): Promise<string> {
  const file = path.join(home, '.claude', name);
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  await writeFile(file, JSON.stringify(content), { mode: 0o600 });
  return file;
}
