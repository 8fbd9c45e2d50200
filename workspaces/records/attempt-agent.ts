import { AgentSpec } from '../../schemas/run/agent.ts';
import type { RunRequest } from '../../schemas/run/run.ts';
import { readJson, writeJsonAtomically } from './json-file.ts';
import type { AttemptPaths } from './run-paths.ts';

/** Note who makes an attempt, before it starts: the agent that stands in for the run's own. */
export const noteAgent = (paths: AttemptPaths, agent: AgentSpec): Promise<void> =>
  writeJsonAtomically(paths.agent, agent);

/** Who made an attempt, or makes it. */
export async function attemptAgent(paths: AttemptPaths, request: RunRequest): Promise<AgentSpec> {
  return (await readJson(paths.agent, AgentSpec)) ?? request.agent;
}
