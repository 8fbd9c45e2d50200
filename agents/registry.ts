import type { AgentSpec, ProviderName } from '../schemas/run/agent.ts';
import { ralphError } from '../schemas/errors/index.ts';
import { hasKey } from './run/environment.ts';
import { checkVersion } from './run/program-version.ts';
import { hasLogin } from './logins/home-files.ts';
import type { AgentProvider, WorkerEnv } from './provider.ts';
import { claudeCode } from './providers/claude-code/claude-code.ts';
import { codex } from './providers/codex/codex.ts';
import { command } from './providers/command.ts';
import { gemini } from './providers/gemini/gemini.ts';
import { opencode } from './providers/opencode/opencode.ts';

const PROVIDERS: Readonly<Record<ProviderName, AgentProvider>> = {
  'claude-code': claudeCode,
  codex,
  gemini,
  opencode,
  command,
};

export const providers: readonly AgentProvider[] = Object.values(PROVIDERS);

export const providerOf = (spec: AgentSpec): AgentProvider => PROVIDERS[spec.provider];

/**
 * Refuse an agent that cannot be a fresh worker of a loop: asked before a run starts, and again by the worker.
 * @throws RalphError
 */
export function checkAgent(spec: AgentSpec): void {
  rejectUnfit(providerOf(spec));
  providerOf(spec).check(spec);
}

/** The rule on its own, for providers that are not in the registry. */
export function rejectUnfit({ name, capabilities }: AgentProvider): void {
  if (!capabilities.freshContext) throw ralphError('agent-inherits-context', { provider: name });
  if (!capabilities.structuredReport) throw ralphError('agent-without-report', { provider: name });
}

/**
 * Reject an agent that a worker with this environment cannot start: its program is missing or too old, or its keys are
 * missing. `alive`: whether that worker runs, or would be started now.
 * @returns the version of its program; null: it has none of its own, or states none
 * @throws RalphError
 */
export async function checkWorkerHas(
  spec: AgentSpec,
  workerEnv: WorkerEnv,
  { alive }: { alive: boolean },
): Promise<string | null> {
  const provider = providerOf(spec);
  const version = await checkVersion(provider, workerEnv, { alive });
  const { keys } = provider.environment;
  if (keys.length === 0 || hasKey(provider, workerEnv)) return version;
  if (await hasLogin(provider.homeFiles(workerEnv))) return version;
  throw ralphError('agent-key-missing', { provider: provider.name, keys, alive });
}
