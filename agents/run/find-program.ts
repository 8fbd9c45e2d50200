import { open, realpath } from 'node:fs/promises';
import path from 'node:path';
import { ralphError } from '../../schemas/errors/index.ts';
import { findOnPath } from '../../system/processes/on-path.ts';
import type { AgentProvider, WorkerEnv } from '../provider.ts';

/** A program as it stands on a PATH, with what must be readable so that it can run. All absolute. */
export interface FoundProgram {
  /** What starts it: the program, or Node and a script. */
  readonly command: readonly string[];
  readonly readable: readonly string[];
}

/**
 * Find a provider's program on the worker's PATH. `alive`: whether that worker runs, or would be started now.
 * @throws RalphError `agent-program-missing`, `agent-not-a-script`
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
    const target = await realpath(file);
    const command = await startOf(file, target);
    if (provider.program.isScript && command.length === 1) {
      throw ralphError('agent-not-a-script', { provider: provider.name, file });
    }
    return { command, readable: [...beside, installationOf(target)] };
  }
  const { name, install } = provider.program;
  throw ralphError('agent-program-missing', { provider: provider.name, program: name, install, alive });
}

const NODE_SCRIPT = /^#![ \t]*(?<interpreter>\/\S*)(?: -S)?(?<words>(?:[ \t]+\S+)*)[ \t]*\r?\n/;

/**
 * A script for Node is started by the Node of the worker, or by the one that it names. One that is looked up may be
 * chosen by the workspace: version managers read `.node-version`, `.tool-versions` and the like from where they are called.
 */
async function startOf(file: string, target: string): Promise<string[]> {
  const { interpreter, words } = NODE_SCRIPT.exec(await beginningOf(target))?.groups ?? {};
  if (interpreter === undefined || words === undefined) return [file];
  const [first, ...others] = words.split(/[ \t]+/).filter((word) => word !== '');
  if (path.basename(interpreter) === 'env' && first === 'node') return [process.execPath, ...others, target];
  if (path.basename(interpreter) !== 'node') return [file];
  return [interpreter, ...(first === undefined ? [] : [first]), ...others, target];
}

async function beginningOf(file: string): Promise<string> {
  const handle = await open(file).catch(() => null);
  // What may be run need not be readable.
  if (handle === null) return '';
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(256), 0, 256, 0);
    return buffer.toString('latin1', 0, bytesRead);
  } finally {
    await handle.close();
  }
}

/** What a program is installed as: all of `node_modules` for one from npm, as it loads its neighbours, else its file. */
function installationOf(target: string): string {
  const parts = target.split(path.sep);
  const modules = parts.indexOf('node_modules');
  return modules === -1 ? target : parts.slice(0, modules + 1).join(path.sep);
}
