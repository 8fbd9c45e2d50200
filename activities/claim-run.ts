import { ApplicationFailure } from '@temporalio/activity';
import { z } from 'zod';
import { RUN_REFUSED } from '../schemas/run/run-refused.ts';
import { readJson, writeJsonAtomically } from '../workspaces/records/json-file.ts';
import type { RunPaths } from '../workspaces/records/run-paths.ts';

const Execution = z.object({ executionId: z.string() });

/**
 * Tie a run to the Temporal execution that prepares it first. Its signed start can be sent again by anybody who reaches
 * the server: a second execution of the run, also after its end, is turned away and touches nothing.
 */
export async function claimRun(run: RunPaths, executionId: string | undefined): Promise<void> {
  if (executionId === undefined) throw new TypeError('a run is prepared by a workflow');
  const first = await readJson(run.execution, Execution);
  if (first === null) return writeJsonAtomically(run.execution, { executionId });
  if (first.executionId === executionId) return;
  const message = `This run is execution ${first.executionId}'s; a run is started once. Start a new one.`;
  throw ApplicationFailure.nonRetryable(message, RUN_REFUSED);
}
