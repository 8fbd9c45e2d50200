import { WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import { nothingSpent } from '../../schemas/budget/budget.ts';
import { ralphError } from '../../schemas/errors/index.ts';
import type { LoopInput } from '../../schemas/loop/loop.ts';
import { MEMO_KEY, type RunMemo } from '../../schemas/loop/memo.ts';
import type { RunRequest } from '../../schemas/run/run.ts';
import { freeRun } from '../../schemas/loop/steering.ts';
import { agentTitle, objectiveTitle } from '../../schemas/run/titles.ts';
import type { TemporalLink } from '../connect/connect.ts';
import type { Deployment } from '../connect/deployment.ts';

/** Start a run in Temporal: from here on it goes on without us. Throws RalphError `run-id-in-use`. */
export async function startRun(link: TemporalLink, deployment: Deployment, request: RunRequest): Promise<void> {
  const { heartbeatTimeoutMs, continueAfterRounds } = deployment.settings;
  const input: LoopInput = { request, settings: { heartbeatTimeoutMs, continueAfterRounds }, carried: null };
  try {
    await link.client.workflow.start('ralphLoop', {
      workflowId: request.runId,
      taskQueue: link.workflowsQueue,
      args: [input],
      memo: { [MEMO_KEY]: firstMemo(request) },
      staticSummary: objectiveTitle(request.objective),
      workflowIdConflictPolicy: 'FAIL',
      workflowIdReusePolicy: 'REJECT_DUPLICATE',
    });
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
    throw ralphError('run-id-in-use', { runId: request.runId }, { cause: error });
  }
}

function firstMemo({ objective, repository, agent, hostId, limits, budgets }: RunRequest): RunMemo {
  return {
    status: 'starting',
    title: objectiveTitle(objective),
    repository: repository.path,
    agent: agentTitle(agent),
    hostId,
    round: 0,
    maxRounds: limits.maxRounds,
    budgets,
    spent: nothingSpent,
    known: null,
    steering: freeRun,
    commit: null,
    ref: null,
    until: null,
    why: null,
    receipt: null,
  };
}
