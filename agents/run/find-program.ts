import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { ralphError } from '../../schemas/errors/index.ts';
import { findOnPath } from '../../system/processes/on-path.ts';
import type { AgentProvider, WorkerEnv } from '../provider.ts';

/** A program as it stands on a PATH, with what must be readable so that it can run. All absolute. */
export interface FoundProgram {
  readonly file: string;
  readonly readable: readonly string[];
}

/**
 * Find a provider's program on the worker's PATH. `alive`: whether that worker runs, or would be started now.
 * @throws RalphError `agent-program-missing`
 */
export async function findProgram(
  provider: AgentProvider,
  workerEnv: WorkerEnv,
  { alive }: { alive: boolean } = { alive: true },
): Promise<FoundProgram> {
  if (provider.program === null) throw new TypeError(`the agent ${provider.name} has no program of its own`);
  const file = findOnPath(provider.program.name, workerEnv['PATH']);
  if (file !== null) {
    const folder = path.dirname(file);
    // A home folder is never opened for a program that lies directly in it.
    const beside = folder === workerEnv['HOME'] ? [] : [folder];
    return { file, readable: [...beside, installationOf(await realpath(file))] };
  }
  const { name, install } = provider.program;
  throw ralphError('agent-program-missing', { provider: provider.name, program: name, install, alive });
}

/** What a program is installed as: all of `node_modules` for one from npm, as it loads its neighbours, else its file. */
function installationOf(target: string): string {
  const parts = target.split(path.sep);
  const modules = parts.indexOf('node_modules');
  return modules === -1 ? target : parts.slice(0, modules + 1).join(path.sep);
}
