import { readRequest } from '../../workspaces/records/runs.ts';
import { runPaths } from '../../workspaces/records/run-paths.ts';
import { unsettledAttempts } from './unsettled-attempts.ts';

/** What a live worker of this RALPH_HOME is at. */
export interface WorkUnderWay {
  /** Ids of the runs with a round, or a setup, under way. */
  readonly runs: readonly string[];
  /** The longest grace period that one of their agents has, in milliseconds. */
  readonly graceMs: number;
}

export async function workUnderWay(ralphHome: string): Promise<WorkUnderWay> {
  const runs = new Set<string>();
  for await (const { runId, isUnderWay } of unsettledAttempts(ralphHome)) if (isUnderWay) runs.add(runId);
  let graceMs = 0;
  for (const runId of runs) {
    const request = await readRequest(runPaths(ralphHome, runId));
    if (request !== null) graceMs = Math.max(graceMs, request.limits.graceMs);
  }
  return { runs: [...runs], graceMs };
}
