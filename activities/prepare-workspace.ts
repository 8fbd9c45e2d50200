import { ApplicationFailure, Context } from '@temporalio/activity';
import { checkAgent, checkWorkerHas } from '../agents/registry.ts';
import { agentsOf } from '../schemas/run/agents-of.ts';
import { RalphError } from '../schemas/errors/index.ts';
import type { FaultCode } from '../schemas/round/fault.ts';
import { Preparation } from '../schemas/loop/loop.ts';
import { RunRequest } from '../schemas/run/run.ts';
import { createWorkspace } from '../workspaces/repository/create-workspace.ts';
import { runPaths } from '../workspaces/records/run-paths.ts';
import { claimRun } from './claim-run.ts';
import { diskFullFault } from './step/disk-full-fault.ts';
import { asFailure, parseInput } from './step/failures.ts';
import type { Machine } from './step/machine.ts';
import type { TakeTurn } from './step/one-at-a-time.ts';
import { startPulse } from './step/pulse.ts';
import { redacted } from './step/redacted.ts';
import { roomFault } from './step/room-fault.ts';
import { runSetup } from './step/run-setup.ts';

/** Make the workspace of a run and run its `setup` command. What a person must mend is a fault, not an error. */
export function prepareWorkspaceActivity(machine: Machine, takeTurn: TakeTurn) {
  return async (given: RunRequest): Promise<Preparation> => {
    const context = Context.current();
    let signal = context.cancellationSignal;
    const pulse = startPulse(context, null);
    try {
      const request = parseInput(RunRequest, given);
      for (const agent of agentsOf(request)) {
        checkAgent(agent);
        await checkWorkerHas(agent, machine.workerEnv, { alive: true });
      }
      const run = runPaths(machine.ralphHome, request.runId);
      return await takeTurn(request.runId, context, async (turn): Promise<Preparation> => {
        ({ signal } = turn);
        await claimRun(run, context.info.workflowExecution?.runId);
        const workspace = await createWorkspace({ paths: run, request });
        const fault = await runSetup({ machine, run, request, turn });
        const record: Preparation = fault === null ? { kind: 'ready', workspace } : { kind: 'failed', fault };
        return redacted({ redactor: machine.redactor, schema: Preparation, record });
      });
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      const full = diskFullFault(error);
      if (full !== null) return { kind: 'failed', fault: full };
      if (roomFault(error) !== null) throw asFailure(error, machine.redactor);
      if (error instanceof RalphError) return failed('workspace-broken', machine.redactor.text(error.message));
      throw error instanceof ApplicationFailure ? error : asFailure(error, machine.redactor);
    } finally {
      pulse.stop();
    }
  };
}

function failed(code: FaultCode, message: string): Preparation {
  return { kind: 'failed', fault: { code, message, resetAt: null } };
}
