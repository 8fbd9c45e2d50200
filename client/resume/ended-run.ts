import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { hostId } from '../../host/keys/host-id.ts';
import { ralphError } from '../../schemas/errors/index.ts';
import type { RunEnding } from '../../schemas/run/result.ts';
import type { Rollback } from '../../schemas/run/rollback.ts';
import type { RunRequest } from '../../schemas/run/run.ts';
import { recentSteps } from '../../workspaces/records/steps.ts';
import { readEnding, readRequest } from '../../workspaces/records/runs.ts';
import { runPaths, type RunPaths } from '../../workspaces/records/run-paths.ts';
import { readRollbacks } from '../../workspaces/rollback/roll-back.ts';
import type { Deployment } from '../connect/deployment.ts';
import { isDisposalUnproved, type RunView, statusOf } from '../view/run-view.ts';

/** The worker of a terminated run notices with its next heartbeat, and disposes of the round then. */
const DISPOSAL_MS = 30_000;
const POLL_MS = 250;

/** A run that has ended, whose files are here and of which no process is alive. */
export interface EndedRun {
  readonly runId: string;
  readonly paths: RunPaths;
  readonly request: RunRequest;
  /** Null: the run was terminated, so nothing wrote down how it ended. */
  readonly ending: RunEnding | null;
  /** The rollback in force. */
  readonly rollback: Rollback | null;
  /** A rollback that was started and did not finish. */
  readonly unfinished: Rollback | null;
}

/**
 * Throws RalphError if the run is not such a run.
 * @param done what is to be done with it: "resumed", "rolled back"
 * @param withinMs how long to wait for the disposal of a terminated run
 */
export async function endedRun(
  { ralphHome }: Pick<Deployment, 'ralphHome'>,
  view: Pick<RunView, 'runId' | 'request' | 'phase'>,
  { done, withinMs = DISPOSAL_MS }: { done: string; withinMs?: number },
): Promise<EndedRun> {
  const { runId, phase } = view;
  const status = statusOf(phase);
  if (phase.kind === 'live') throw ralphError('run-live', { runId, status, done });
  const host = hostOf(view);
  if (host !== null && host !== (await hostId(ralphHome))) throw ralphError('run-elsewhere', { runId, host, done });
  if (phase.kind === 'unknown') throw ralphError('run-state-unknown', { runId, done });
  const paths = runPaths(ralphHome, runId);
  const isRecovered = await recoveredWithin(paths, status === 'terminated' ? withinMs : 0);
  if (!isRecovered || isDisposalUnproved(phase))
    throw ralphError('run-not-disposed', { runId, done, folder: paths.tree });
  const request = await readRequest(paths);
  if (request === null) throw ralphError('workspace-gone', { runId, folder: paths.root });
  const rollbacks = await readRollbacks(paths);
  return {
    runId,
    paths,
    request,
    ending: await readEnding(paths),
    rollback: rollbacks.findLast((each) => each.done) ?? null,
    unfinished: rollbacks.find((each) => !each.done) ?? null,
  };
}

/** The machine that holds the workspace; null: not known. */
function hostOf({ request }: Pick<RunView, 'request'>): string | null {
  if (request.kind === 'unknown') return null;
  return request.kind === 'brief' ? request.hostId : request.request.hostId;
}

async function recoveredWithin(paths: RunPaths, ms: number): Promise<boolean> {
  const deadline = Date.now() + ms;
  for (;;) {
    if (!hasUnrecovered(paths)) return true;
    if (Date.now() >= deadline) return false;
    await sleep(POLL_MS);
  }
}

/** Whether a command of the setup, or of the last round and its verification, was started and has no outcome. */
function hasUnrecovered(run: RunPaths): boolean {
  for (const { paths } of recentSteps(run)) {
    if (existsSync(paths.fence) && !existsSync(paths.outcome)) return true;
  }
  return false;
}
