import { readFileSync } from 'node:fs';
import path from 'node:path';
import { DEFAULT_GATE_TIMEOUT_MS, GateCheck, strictGates, type GatePolicy } from '../../schemas/verification/gate.ts';
import { checkPaths, type RunPaths } from '../../workspaces/records/run-paths.ts';
import type { engine } from './engine.ts';
import { gitRepository } from './git-repository.ts';
import { scriptedAgent, type Step } from './scripted-agent.ts';

type Engine = ReturnType<typeof engine>;

interface Asked extends Partial<Omit<Parameters<Engine['start']>[0], 'checks'>> {
  gates: readonly (string | { command: string; timeoutMs: number })[];
  policy?: Partial<GatePolicy>;
  /** A reviewer, budgets and the like. */
  beside?: Parameters<Engine['start']>[0]['checks'];
  /** Of the repository, beside `a.txt`. */
  files?: Record<string, string>;
}

/** Starts runs on an engine that are checked by gates, each in a repository of its own. */
export function checkedLauncher(ralph: Engine) {
  let count = 0;
  /** @param asked what is asked for; a function gets the folder that the agent will have */
  return async (plan: readonly Step[], asked: Asked | ((folder: string) => Asked)) => {
    const number = (count += 1);
    const folder = path.join(ralph.folder, `agent-${number}`);
    const { gates, policy, files, beside, ...more } = typeof asked === 'function' ? asked(folder) : asked;
    const runId = `checked-${number}`;
    const repository = gitRepository(path.join(ralph.folder, `repository-${number}`), { 'a.txt': 'a\n', ...files });
    const agent = scriptedAgent(folder, plan);
    const checks = {
      gates: gates.map((gate) =>
        typeof gate === 'string' ? { command: gate, timeoutMs: DEFAULT_GATE_TIMEOUT_MS } : gate,
      ),
      gatePolicy: { ...strictGates, ...policy },
      ...beside,
    };
    const handle = await ralph.start({ runId, objective: 'Reach it.', repository, agent: agent.spec, checks, ...more });
    return { runId, repository, agent, handle, paths: ralph.paths(runId), folder };
  };
}

/** What a run of the gates came to, as it is on disk. */
export const recordOf = (paths: RunPaths, round: number, check = 1): GateCheck =>
  GateCheck.parse(JSON.parse(readFileSync(checkPaths(paths, round, check).record, 'utf8')));

export const gatesOf = (paths: RunPaths, round: number) => {
  const record = recordOf(paths, round);
  if (record.kind !== 'checked') throw new Error(`the gates of round ${round} came to nothing`);
  return record.gates;
};

export const stepOf = (paths: RunPaths, at: { round: number; check: number; step: number }): unknown =>
  JSON.parse(readFileSync(checkPaths(paths, at.round, at.check).step(at.step).outcome, 'utf8'));
