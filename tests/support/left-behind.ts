import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { thisHost, type StartedFence } from '../../agents/containment/dispose/fence.ts';
import type { ProcessIdentity } from '../../system/processes/process-entry.ts';
import { identityOf } from '../../system/processes/process-identity.ts';
import type { StepPaths } from '../../workspaces/records/run-paths.ts';

/** Leave what a worker began: a folder with a fence and no outcome, and a process of its group that goes on. */
export function leftBehind(paths: StepPaths, worker: ProcessIdentity): ProcessIdentity {
  mkdirSync(paths.root, { recursive: true });
  const child = spawn('sleep', ['60'], { detached: true, stdio: 'ignore' });
  child.unref();
  const left = identityOf(child.pid ?? 0);
  if (left === null) throw new Error('sleep did not start');
  const fence: StartedFence = {
    kind: 'started',
    mechanism: 'process-group',
    host: thisHost(),
    worker,
    container: [{ ...left }],
    marker: null,
    endFile: null,
    tempFolder: null,
    at: new Date().toISOString(),
  };
  writeFileSync(paths.fence, JSON.stringify(fence));
  return left;
}

export const thisProcess = (): ProcessIdentity => {
  const identity = identityOf(process.pid);
  if (identity === null) throw new Error('this process does not find itself');
  return identity;
};

/** One that has this process's pid, and began long before it. */
export const deadWorker = (): ProcessIdentity => ({ pid: thisProcess().pid, startTime: '1' });
