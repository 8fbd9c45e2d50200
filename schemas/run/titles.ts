import type { AgentSpec } from './agent.ts';

const MAX_TITLE_CHARS = 120;

/** First line of an objective that says something, at most 120 UTF-16 code units. */
export function objectiveTitle(objective: string): string {
  const line = objective.trim().split(/\r?\n/, 1)[0] ?? '';
  return line.length <= MAX_TITLE_CHARS ? line : `${line.slice(0, MAX_TITLE_CHARS - 1)}…`;
}

/** An agent in one word, with its model where one was asked for. */
export function agentTitle(agent: AgentSpec): string {
  return agent.model === null ? agent.provider : `${agent.provider} (${agent.model})`;
}
