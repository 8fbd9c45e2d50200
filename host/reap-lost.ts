import { access } from 'node:fs/promises';
import { disposeEarlier } from '../agents/containment/dispose-earlier.ts';
import { readFence } from '../agents/containment/fence.ts';
import { isAlive } from '../agents/containment/process-identity.ts';
import type { Receipt } from '../schemas/receipt.ts';
import { attemptsAt, lastRound } from '../workspaces/attempts.ts';
import { listRuns } from '../workspaces/ledger.ts';
import { attemptPaths, runPaths } from '../workspaces/run-paths.ts';

const PROVE_MS = 10_000;
const SETUP_ROUND = 0;

/** What was left of an attempt, and how it was ended. Round 0 is the setup command's. */
export interface Reaped {
  readonly runId: string;
  readonly round: number;
  readonly attempt: number;
  readonly receipt: Receipt;
}

/**
 * End what dead workers of this RALPH_HOME left on this machine: the attempts that have a fence and no outcome, and
 * whose worker is gone. Their work is committed by the next attempt, or when the run ends. Safe beside a live worker.
 */
export async function reapLost(ralphHome: string): Promise<Reaped[]> {
  const reaped: Reaped[] = [];
  for (const runId of await listRuns(ralphHome)) {
    const run = runPaths(ralphHome, runId);
    const last = await lastRound(run);
    for (const round of last === null ? [SETUP_ROUND] : [SETUP_ROUND, last]) {
      for (const attempt of await attemptsAt(run, round)) {
        const { fence, outcome } = attemptPaths(run, round, attempt);
        if ((await exists(outcome)) || !(await exists(fence)) || (await isHeld(fence))) continue;
        const receipt = await disposeEarlier({
          fenceFile: fence,
          cause: 'worker-lost',
          mechanism: 'process-group',
          proveMs: PROVE_MS,
        });
        if (receipt.killed.length > 0 || receipt.proof === 'unproved') reaped.push({ runId, round, attempt, receipt });
      }
    }
  }
  return reaped;
}

/** Whether the worker that wrote a fence is alive: then what is behind it is that worker's. */
async function isHeld(fenceFile: string): Promise<boolean> {
  try {
    const fence = await readFence(fenceFile);
    return fence.kind === 'started' && isAlive(fence.worker);
  } catch {
    // No fence that can be read: disposal says what that means.
    return false;
  }
}

async function exists(file: string): Promise<boolean> {
  try {
    await access(file);
    return true;
  } catch {
    // Not there, or not to be seen: either way nothing to go by.
    return false;
  }
}
