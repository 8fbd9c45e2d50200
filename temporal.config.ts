import { access } from 'node:fs/promises';
import path from 'node:path';
import type { ClientConnectConfig } from '@temporalio/envconfig';
import { z } from 'zod';
import { definedOnly, type Environment } from './host/environment.ts';
import { homePaths } from './host/home-paths.ts';
import type { Budgets } from './schemas/budget/budget.ts';
import { budgetsOf } from './schemas/budget/budget-words.ts';
import { RalphConfig } from './schemas/run/config.ts';
import { ralphError } from './schemas/errors/index.ts';
import { messageOf } from './system/error-code.ts';
import { jsonBreak } from './system/json-break.ts';
import { readTextIfAny } from './system/read-text.ts';

/** What `Connection.connect` and `NativeConnection.connect` take. */
export type TemporalConnection = Pick<ClientConnectConfig['connectionOptions'], 'tls' | 'apiKey' | 'metadata'> & {
  address: string;
};

export interface TemporalSettings {
  /** Embedded: this engine starts a server on this machine; its address: `host/server/embedded-server.ts`. */
  readonly server: { readonly source: 'embedded' } | { readonly source: 'external'; connection: TemporalConnection };
  readonly namespace: string;
  readonly maxRounds: number;
  /** Ceilings of the budgets of every run; null: none. */
  readonly budgets: Budgets;
  readonly heartbeatTimeoutMs: number;
  readonly continueAfterRounds: number | null;
  readonly roundSlots: number;
  readonly stepSlots: number;
  /** Live runs that the worker keeps in memory. Beyond it, every step of a run replays its whole history first. */
  readonly cachedWorkflows: number;
}

const builtIn = {
  namespace: 'default',
  /** Ceiling of `maxRounds` for every run. */
  maxRounds: 256,
  /** Rides out a restart of the server. Of a lost worker the next one tells at once, see `worker/release-lost.ts`. */
  heartbeatTimeoutMs: 60_000,
  /** Null: when Temporal suggests it. */
  continueAfterRounds: null,
  roundSlots: 4,
  stepSlots: 8,
} as const;

/** A ceiling: a run in memory costs 3 to 4 MB while it is live, and nothing after it has ended. */
const CACHED_WORKFLOWS = 100;
/** Runs with a round under way, and as many again that wait for a slot, a limit or a user. */
const CACHED_PER_ROUND_SLOT = 2;

/**
 * Built-in settings < $RALPH_HOME/config.json < TEMPORAL_* as the standard tools read them. A temporal.toml counts only
 * when TEMPORAL_CONFIG_FILE or TEMPORAL_PROFILE (or config.json) names it: the default profile of one that lies about
 * may be a production cluster. With no address from any of them the server is embedded. Throws RalphError.
 */
export async function resolveTemporalSettings({
  ralphHome,
  env,
}: {
  ralphHome: string;
  env: Environment;
}): Promise<TemporalSettings> {
  const { temporal, maxTime, maxTokens, maxCost, maxWait, ...stated } = await readConfig(homePaths(ralphHome).config);
  const budgets = budgetsOf({ maxTime, maxTokens, maxCost, maxWait });
  const variables = temporalVariables({ ralphHome, temporal, env });
  const settings = { ...builtIn, ...definedOnly(stated), budgets, ...(await resolveServer(variables)) };
  return { ...settings, cachedWorkflows: Math.max(CACHED_WORKFLOWS, CACHED_PER_ROUND_SLOT * settings.roundSlots) };
}

async function readConfig(file: string): Promise<RalphConfig> {
  const text = readTextIfAny(file);
  if (text === null) return {};
  try {
    return RalphConfig.parse(JSON.parse(text));
  } catch (error) {
    const where = jsonBreak(text);
    const problem =
      error instanceof z.ZodError
        ? z.prettifyError(error).replaceAll('\n', ' ')
        : `it is not JSON${where === null ? '' : `: ${where}`}`;
    throw ralphError('config-broken', { file, problem, keys: Object.keys(RalphConfig.shape) }, { cause: error });
  }
}

/** config.json's section spelled as TEMPORAL_* with the real ones over it; a profile in those replaces it whole. */
function temporalVariables({
  ralphHome,
  temporal,
  env,
}: {
  ralphHome: string;
  temporal: RalphConfig['temporal'];
  env: Environment;
}): Record<string, string> {
  const real: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (isTemporal(name) && value !== undefined && value !== '') real[name] = value;
  }
  const replaced = real['TEMPORAL_PROFILE'] !== undefined || real['TEMPORAL_CONFIG_FILE'] !== undefined;
  const stated = replaced
    ? {}
    : definedOnly({
        TEMPORAL_ADDRESS: temporal?.address,
        TEMPORAL_NAMESPACE: temporal?.namespace,
        TEMPORAL_CONFIG_FILE:
          temporal?.configFile === undefined ? undefined : path.resolve(ralphHome, temporal.configFile),
        TEMPORAL_PROFILE: temporal?.profile,
      });
  return { ...stated, ...real };
}

const FOLDERS = ['HOME', 'XDG_CONFIG_HOME'];
const isTemporal = (name: string): boolean =>
  /^TEMPORAL_(ADDRESS|NAMESPACE|API_KEY|CONFIG_FILE|PROFILE|TLS|TLS_.+|GRPC_META_.+)$/.test(name) ||
  FOLDERS.includes(name);

async function resolveServer(
  variables: Record<string, string>,
): Promise<Pick<TemporalSettings, 'server'> & { namespace?: string }> {
  const names = Object.keys(variables).filter((name) => !FOLDERS.includes(name));
  if (names.length === 0) return { server: { source: 'embedded' } };
  const { connectionOptions, namespace } = await load(variables);
  const { address, ...rest } = connectionOptions;
  if (address === undefined) throw ralphError('temporal-address-missing', { names: names.join(', ') });
  return {
    server: { source: 'external', connection: { address, ...definedOnly(rest) } },
    ...definedOnly({ namespace }),
  };
}

async function load(variables: Record<string, string>): Promise<ClientConnectConfig> {
  // Loaded here only: the embedded server's users need not pay for it at every command.
  // Its only export that a bundle keeps as well: the module is CommonJS.
  const { default: envconfig } = await import('@temporalio/envconfig');
  const file = variables['TEMPORAL_CONFIG_FILE'];
  try {
    // envconfig passes over a file that does not exist.
    if (file !== undefined) await access(file);
    const disableFile = file === undefined && variables['TEMPORAL_PROFILE'] === undefined;
    return envconfig.loadClientConnectConfig({ overrideEnvVars: variables, disableFile, configFileStrict: true });
  } catch (error) {
    const problem = messageOf(error);
    throw ralphError('temporal-settings-broken', { problem }, { cause: error });
  }
}
