import { workerState } from '../host/worker-process.ts';
import type { Deployment } from './deployment.ts';
import type { RunView } from './run-view.ts';
import { showRun } from './show-run.ts';

/** `elsewhere`: the run's files are on another machine, and so is its worker. */
export type WorkerPresence = 'alive' | 'none' | 'elsewhere';

/** A run, and whether a worker is there to go on with it. Throws RalphError `no-such-run`. */
export async function whyRun(deployment: Deployment, runId: string): Promise<{ run: RunView; worker: WorkerPresence }> {
  const run = await showRun(deployment, runId);
  if (run.folder === null && run.status !== 'starting') return { run, worker: 'elsewhere' };
  const { kind } = await workerState(deployment.ralphHome);
  return { run, worker: kind === 'down' || kind === 'stopped' ? 'none' : 'alive' };
}
