import { existsSync } from 'node:fs';
import { ApplicationFailure, type Context } from '@temporalio/activity';
import { z } from 'zod';
import { RUN_NOT_HELD } from '../schemas/loop/loop-input.ts';
import { messageOf } from '../system/error-code.ts';
import { readJson, writeJsonAtomically } from '../workspaces/records/json-file.ts';
import type { RunPaths } from '../workspaces/records/run-paths.ts';

const Execution = z.object({ executionId: z.string() });

const ASK_MS = 5_000;

/** `take`: the run may be the execution's own from now on. `live`, `ended-too`: whether a run that has ended is rejected. */
export type Hold = 'take' | 'live' | 'ended-too';

/** Throws if a step is asked for by an execution that does not hold the run. */
export async function mustHold(hold: Hold, run: RunPaths, context: Context): Promise<void> {
  switch (hold) {
    case 'take':
      return await holdRun(run, context);
    case 'live':
      return await assertHoldsRun(run, context, { ended: 'rejected' });
    case 'ended-too':
      return await assertHoldsRun(run, context, { ended: 'allowed' });
    default:
      return hold satisfies never;
  }
}

/**
 * Tie a run to the Temporal execution that prepares it first. Its signed start can be sent again by anybody who reaches
 * the server: a second execution of the run, also after its end, is turned away and touches nothing.
 */
async function holdRun(run: RunPaths, context: Context): Promise<void> {
  const { runId } = executionOf(context);
  const held = await readJson(run.execution, Execution);
  if (held === null) return writeJsonAtomically(run.execution, { executionId: runId });
  if (held.executionId !== runId) throw notHeld(held.executionId);
}

/**
 * Throws where a step is asked for by an execution that does not hold the run, or after the run has ended. The server says
 * which execution an execution that was continued as new goes back to.
 */
async function assertHoldsRun(
  run: RunPaths,
  context: Context,
  { ended }: { ended: 'rejected' | 'allowed' },
): Promise<void> {
  const held = await readJson(run.execution, Execution);
  if (held !== null && held.executionId !== (await firstExecution(context, held.executionId))) {
    throw notHeld(held.executionId);
  }
  if (ended === 'allowed' || !existsSync(run.ending)) return;
  throw ApplicationFailure.nonRetryable('This run has ended. Nothing more is done for it.', RUN_NOT_HELD);
}

async function firstExecution(context: Context, held: string): Promise<string> {
  const { workflowId, runId } = executionOf(context);
  if (runId === held) return runId;
  const { client } = context;
  const ask = async (): Promise<string> => {
    const { raw } = await client.workflow.getHandle(workflowId, runId).describe();
    return raw.workflowExecutionInfo?.firstRunId || runId;
  };
  try {
    return await client.withDeadline(Date.now() + ASK_MS, ask);
  } catch (error) {
    // A server that is busy or restarting says nothing of the run: Temporal asks for the step again.
    const message = `Temporal did not say which execution ${runId} continues: ${messageOf(error)}`;
    throw ApplicationFailure.retryable(message, 'holder-unknown');
  }
}

function executionOf({ info: { workflowExecution } }: Context): { workflowId: string; runId: string } {
  if (workflowExecution === undefined) throw new TypeError('a step of a run is asked for by a workflow');
  return workflowExecution;
}

function notHeld(executionId: string): ApplicationFailure {
  const message = `This run belongs to execution ${executionId}, and a run is started only once. Start a new run.`;
  return ApplicationFailure.nonRetryable(message, RUN_NOT_HELD);
}
