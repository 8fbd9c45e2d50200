import type { AgentSpec } from './agent.ts';

/** An agent in one word, with its model where one was asked for. */
export function agentTitle(agent: AgentSpec): string {
  return agent.model === null ? agent.provider : `${agent.provider} (${agent.model})`;
}
