import { setTimeout as sleep } from 'node:timers/promises';
import { hostId } from '../../host/keys/host-id.ts';
import { ralphError } from '../../schemas/errors/index.ts';
import type { RunRequest } from '../../schemas/run/run.ts';
import { exists } from '../../system/exists.ts';
import type { RunPaths } from '../../workspaces/records/run-paths.ts';
import { unrecoveredSteps } from '../../workspaces/records/steps.ts';
import type { Deployment } from '../connect/deployment.ts';
import { type DiskRun, diskRun } from '../view/disk-run.ts';
import { isDisposalUnproved } from '../view/is-disposal-unproved.ts';
import { isLive } from '../view/run-status.ts';
import type { RunView } from '../view/run-view.ts';

/** The worker of a run that was terminated notices with its next heartbeat, and disposes of the round then. */
const DISPOSAL_MS = 30_000;
const POLL_MS = 250;

/** A run that has ended, whose files are here and of which nothing is alive. */
export type RestingRun = DiskRun & { readonly request: RunRequest };

/**
 * Throws RalphError where the run is none.
 * @param done what is to be done with it: "resumed", "rolled back"
 * @param withinMs how long the disposal of one that was terminated is waited for
 */
export async function restingRun(
  { ralphHome }: Deployment,
  view: RunView,
  { done, withinMs = DISPOSAL_MS }: { done: string; withinMs?: number },
): Promise<RestingRun> {
  const { runId, status } = view;
  if (isLive(status)) throw ralphError('run-live', { runId, status, done });
  const here = await hostId(ralphHome);
  if (view.hostId !== null && view.hostId !== here)
    throw ralphError('run-elsewhere', { runId, host: view.hostId, done });
  if (status === 'unknown') throw ralphError('run-state-unknown', { runId, done });
  const first = await diskRun(ralphHome, runId);
  if (first === null || first.request === null) {
    throw ralphError('workspace-gone', { runId, folder: view.folder ?? 'its folder' });
  }
  const { paths } = first;
  const settled = await settledWithin(paths, status === 'terminated' ? withinMs : 0);
  if (!settled || isDisposalUnproved(view)) throw ralphError('run-not-disposed', { runId, done, folder: paths.tree });
  const disk = await diskRun(ralphHome, runId);
  if (disk === null || disk.request === null) throw ralphError('workspace-gone', { runId, folder: paths.root });
  return { ...disk, request: disk.request };
}

async function settledWithin(paths: RunPaths, ms: number): Promise<boolean> {
  const deadline = Date.now() + ms;
  for (;;) {
    if (!(await hasUnsettled(paths))) return true;
    if (Date.now() >= deadline) return false;
    await sleep(POLL_MS);
  }
}

/** Whether a command of the setup, or of the last round and its checks, was held by somebody and has no outcome. */
async function hasUnsettled(run: RunPaths): Promise<boolean> {
  const held = (await unrecoveredSteps(run)).map(({ paths }) => exists(paths.fence));
  return (await Promise.all(held)).includes(true);
}
