import type { AgentProvider, WorkerEnv } from './provider.ts';

/** Handed on to every agent: how to reach the network from this machine. No secrets of their own. */
const NETWORK = [
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'NO_PROXY',
  'ALL_PROXY',
  'http_proxy',
  'https_proxy',
  'no_proxy',
  'all_proxy',
  'NODE_EXTRA_CA_CERTS',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
] as const;

/** Names, separated by commas, that the worker's owner wants handed to agents beside those that a provider lists. */
const FURTHER_NAMES = 'RALPH_AGENT_ENV';

/** What an agent gets of the worker's environment: the provider's names, the network's, and those the owner listed. */
export function passedEnvironment(provider: AgentProvider, workerEnv: WorkerEnv): Record<string, string> {
  const further = workerEnv[FURTHER_NAMES]?.split(',').map((name) => name.trim()) ?? [];
  const picked: Record<string, string> = {};
  for (const name of [...NETWORK, ...provider.environment.passed, ...further]) {
    const value = workerEnv[name];
    if (value !== undefined && value !== '') picked[name] = value;
  }
  return picked;
}
