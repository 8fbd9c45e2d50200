import type { AgentSpec } from './agent.ts';
import type { RunRequest } from './run.ts';

/** Every agent that a run may start. */
export function agentsOf({
  agent,
  reviewer,
  fallbackAgent,
}: Pick<RunRequest, 'agent' | 'reviewer' | 'fallbackAgent'>): AgentSpec[] {
  return [agent, reviewer, fallbackAgent].filter((spec) => spec !== null);
}
