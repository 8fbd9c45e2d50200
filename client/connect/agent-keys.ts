import { providerOf } from '../../agents/registry.ts';
import { type AgentSpec, ProviderName } from '../../schemas/run/agent.ts';

/** Of these names of variables, the ones that are a key for some agent. */
export function agentKeysAmong(names: readonly string[]): string[] {
  const specs = ProviderName.exclude(['command']).options.map((provider): AgentSpec => ({
    provider,
    command: null,
    model: null,
  }));
  const keys = new Set(specs.flatMap((spec) => providerOf(spec).environment.keys));
  return names.filter((name) => keys.has(name)).toSorted();
}
