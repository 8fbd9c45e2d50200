import path from 'node:path';
import type { engine } from './engine.ts';
import { gitRepository } from './git-repository.ts';
import { scriptedAgent, type Step } from './scripted-agent.ts';

type Engine = ReturnType<typeof engine>;

/** Starts runs on an engine, each in a repository of its own and with a stand-in agent that plays a plan. */
export function launcher(ralph: Engine) {
  let count = 0;
  return async (plan: readonly Step[], more: Partial<Parameters<Engine['start']>[0]> = {}) => {
    const runId = `run-${(count += 1)}`;
    const repository = gitRepository(path.join(ralph.folder, `repository-${count}`), { 'a.txt': 'a\n' });
    const agent = scriptedAgent(path.join(ralph.folder, `agent-${count}`), plan);
    const handle = await ralph.start({ runId, objective: 'Reach it.', repository, agent: agent.spec, ...more });
    return { runId, repository, agent, handle, paths: ralph.paths(runId) };
  };
}
