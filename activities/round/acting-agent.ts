import type { AgentSpec } from '../../schemas/run/agent.ts';
import type { RoundInput } from '../../schemas/round/round-input.ts';

/** Who makes an attempt: the run's own agent, or the one that stands in for it. */
export function actingAgent({ request, fallback }: Pick<RoundInput, 'request' | 'fallback'>): AgentSpec {
  return fallback && request.fallbackAgent !== null ? request.fallbackAgent : request.agent;
}
