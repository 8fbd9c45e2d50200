import type { AgentProvider, WorkerEnv } from '../provider.ts';

/** Names, separated by commas, that the worker's owner wants handed to agents beside those that a provider lists. */
const FURTHER_NAMES = 'RALPH_AGENT_ENV';

/** What an agent gets of the worker's environment: the provider's names, and those that the owner listed. */
export function passedEnvironment(provider: AgentProvider, workerEnv: WorkerEnv): Record<string, string> {
  const picked: Record<string, string> = {};
  for (const name of [...provider.environment.passed, ...furtherNames(workerEnv)]) {
    const value = workerEnv[name];
    if (value !== undefined && value !== '') picked[name] = value;
  }
  return picked;
}

/** Whether one of a provider's keys is set. Where none is, its program uses a login of its own. */
export function hasKey({ environment: { keys, passed } }: AgentProvider, workerEnv: WorkerEnv): boolean {
  // A program for many models needs none of them in particular.
  const names = keys.length > 0 ? keys : passed.filter((name) => /_(?:KEY|TOKEN)(?:_|$)/.test(name));
  return names.some((name) => (workerEnv[name] ?? '') !== '');
}

export const furtherNames = (workerEnv: WorkerEnv): readonly string[] =>
  workerEnv[FURTHER_NAMES]?.split(',').map((name) => name.trim()) ?? [];
