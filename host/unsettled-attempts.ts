import { exists } from '../system/exists.ts';
import { readFence } from '../agents/containment/fence.ts';
import type { Fence } from '../agents/containment/fence.ts';
import { isAlive } from '../system/process-identity.ts';
import { attemptsAt, lastRound } from '../workspaces/attempts.ts';
import { listRuns } from '../workspaces/ledger.ts';
import { attemptPaths, runPaths } from '../workspaces/run-paths.ts';

const SETUP_ROUND = 0;

/** An attempt that has a fence and no outcome. Round 0 is the setup command's. */
export interface UnsettledAttempt {
  readonly runId: string;
  readonly round: number;
  readonly attempt: number;
  readonly fenceFile: string;
  /** Whether the worker that began it is alive: then what is behind the fence is that worker's. */
  readonly isUnderWay: boolean;
}

/** Of each run of this RALPH_HOME, the attempts at its setup and at its last round that have not ended, or were lost. */
export async function* unsettledAttempts(ralphHome: string): AsyncGenerator<UnsettledAttempt> {
  for (const runId of await listRuns(ralphHome)) {
    const run = runPaths(ralphHome, runId);
    const last = await lastRound(run);
    for (const round of last === null ? [SETUP_ROUND] : [SETUP_ROUND, last]) {
      for (const attempt of await attemptsAt(run, round)) {
        const { fence, outcome } = attemptPaths(run, round, attempt);
        if ((await exists(outcome)) || !(await exists(fence))) continue;
        yield { runId, round, attempt, fenceFile: fence, isUnderWay: await isHeld(fence) };
      }
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
