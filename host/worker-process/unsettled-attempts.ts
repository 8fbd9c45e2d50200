import { existsSync } from 'node:fs';
import { readFence } from '../../agents/containment/dispose/fence.ts';
import type { Fence } from '../../agents/containment/dispose/fence.ts';
import { isAlive } from '../../system/processes/process-identity.ts';
import { runPaths } from '../../workspaces/records/run-paths.ts';
import { listRuns } from '../../workspaces/records/runs.ts';
import { unrecoveredSteps } from '../../workspaces/records/steps.ts';

/** Where an attempt's, a gate's or a review's files are. Round 0 is before the first: the setup, and gates. */
export interface Whose {
  readonly runId: string;
  readonly round: number;
  /** Null: it belongs to gates or a review. */
  readonly attempt: number | null;
  /** Below the round's: `attempt-1`, `gates-1/step-2`, `review-1`. */
  readonly folder: string;
}

/** What has a fence and no outcome. */
export interface UnsettledAttempt extends Whose {
  readonly fenceFile: string;
  /** Whether the worker that began it is alive: then what is behind the fence is that worker's. */
  readonly isUnderWay: boolean;
}

/**
 * Of each run of this RALPH_HOME, what has not ended, or was lost, of all that was started before its first round and in
 * its last one.
 */
export async function* unsettledAttempts(ralphHome: string): AsyncGenerator<UnsettledAttempt> {
  for (const runId of await listRuns(ralphHome)) {
    const run = runPaths(ralphHome, runId);
    for (const { kind, round, number, name, paths } of unrecoveredSteps(run)) {
      const { fence } = paths;
      if (!existsSync(fence)) continue;
      const attempt = kind === 'gate' || kind === 'review' ? null : number;
      yield { runId, round, attempt, folder: name, fenceFile: fence, isUnderWay: await isHeld(fence) };
    }
  }
}

/** @throws where it cannot be seen whether the worker is alive: what a live one holds is not to be touched */
async function isHeld(fenceFile: string): Promise<boolean> {
  const fence = await fenceIfAny(fenceFile);
  return fence?.kind === 'started' && isAlive(fence.worker);
}

async function fenceIfAny(fenceFile: string): Promise<Fence | null> {
  try {
    return await readFence(fenceFile);
  } catch {
    // No fence that can be read: disposal says what that means.
    return null;
  }
}
