import { workerState } from '../../host/worker-process/worker-process.ts';
import type { Handoff } from '../../schemas/round/report.ts';
import { readRequest } from '../../workspaces/records/runs.ts';
import { runPaths } from '../../workspaces/records/run-paths.ts';
import type { Deployment } from '../connect/deployment.ts';
import { handoffAfter } from '../resume/handoff-after.ts';
import { hasPrinted } from './has-printed.ts';
import type { RunView } from './run-view.ts';
import { showRun } from './show-run.ts';
import { type WayOn, wayOn } from '../resume/way-on.ts';

/** `elsewhere`: the run's files are on another machine, and so is its worker. */
export type WorkerPresence = 'alive' | 'none' | 'elsewhere';

/** What `ralph why` goes by. */
export interface WhyRun {
  readonly run: RunView;
  /** Whether a worker is there to go on with it. */
  readonly worker: WorkerPresence;
  /** Of a run that was rolled back, what the next round is given: its end was of rounds that are void. */
  readonly handoff: Handoff | null;
  /** Of a run that has ended, how to go on from it. */
  readonly way: WayOn;
  /** Whether anything was printed in its last round. */
  readonly printed: boolean;
}

/** Throws RalphError `no-such-run`. */
export async function whyRun(deployment: Deployment, runId: string): Promise<WhyRun> {
  const run = await showRun(deployment, runId);
  const { ralphHome } = deployment;
  const known = {
    run,
    handoff: await handoffSinceRollback(deployment, run),
    way: await wayOn(deployment, run),
    printed: run.round !== null && (await hasPrinted(runPaths(ralphHome, runId), run.round)),
  };
  if (run.folder === null && run.status !== 'starting') return { ...known, worker: 'elsewhere' };
  const { kind } = await workerState(ralphHome);
  return { ...known, worker: kind === 'down' || kind === 'stopped' ? 'none' : 'alive' };
}

async function handoffSinceRollback({ ralphHome }: Deployment, run: RunView): Promise<Handoff | null> {
  if (run.rollback === null) return null;
  const paths = runPaths(ralphHome, run.runId);
  // A damaged request: the notes of the run say so.
  const request = await readRequest(paths).catch(() => null);
  return request === null ? null : (await handoffAfter(paths, request, run.rollback.to)).handoff;
}
