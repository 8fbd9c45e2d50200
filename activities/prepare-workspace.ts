import { checkAgent, checkWorkerHas } from '../agents/registry.ts';
import { RalphError } from '../schemas/errors/index.ts';
import { StepInput } from '../schemas/loop/loop-input.ts';
import { Preparation } from '../schemas/loop/preparation.ts';
import type { Fault } from '../schemas/round/fault.ts';
import { StepRecord, type EndedStep } from '../schemas/round/step.ts';
import { agentsOf, type RunRequest } from '../schemas/run/run.ts';
import { readJson } from '../workspaces/records/json-file.ts';
import { writeState } from '../workspaces/records/loop-state.ts';
import { attemptPaths, runPaths, type RunPaths, type StepPaths } from '../workspaces/records/run-paths.ts';
import { attemptsAt, openStep } from '../workspaces/records/steps.ts';
import { createWorkspace } from '../workspaces/repository/create-workspace.ts';
import { noteSetupMade } from '../workspaces/tree/setup-made.ts';
import { beginRound } from '../workspaces/round/begin-round.ts';
import { recover } from './recover.ts';
import { diskFullFault, roomFault, unproved } from './step/faults.ts';
import type { Machine } from './step/machine.ts';
import { makeActivity, type Work } from './step/make-activity.ts';
import type { TakeTurn, Turn } from './step/one-at-a-time.ts';
import { runCommand } from './step/run-command.ts';
import { setupFailed } from './step/setup-failed.ts';

/** Make the workspace of a run and run its `setup` command. What a person must repair is a fault, not an error. */
export const prepareWorkspaceActivity = (machine: Machine, takeTurn: TakeTurn) =>
  makeActivity<typeof StepInput, Preparation>(machine, takeTurn, {
    input: StepInput,
    output: Preparation,
    hold: 'take',
    work: prepare,
    answer(error) {
      const full = diskFullFault(error);
      if (full !== null) return { kind: 'failed', fault: full };
      if (roomFault(error) !== null || !(error instanceof RalphError)) return null;
      return { kind: 'failed', fault: { code: 'workspace-broken', message: error.message, resetAt: null } };
    },
  });

async function prepare({ machine, input: { request, state }, turn }: Work<StepInput, null>): Promise<Preparation> {
  for (const agent of agentsOf(request)) {
    checkAgent(agent);
    await checkWorkerHas(agent, machine.workerEnv, { alive: true });
  }
  const run = runPaths(machine.ralphHome, request.runId);
  await writeState(run, state, null);
  const workspace = await createWorkspace({ paths: run, request });
  const fault = await runSetup({ machine, run, request, turn });
  if (fault !== null) return { kind: 'failed', fault };
  return { kind: 'ready', workspace: request.setup === null ? workspace : await noteSetupMade(run, workspace) };
}

/** Setup has the place of a round before the first: its files are in `rounds/0`. */
const SETUP_ROUND = 0;

/** Run the `setup` command once, in the agent's sandbox. @returns why it failed; null if it did not */
async function runSetup({
  machine,
  run,
  request,
  turn,
}: {
  machine: Machine;
  run: RunPaths;
  request: RunRequest;
  turn: Turn;
}): Promise<Fault | null> {
  const { setup: command, limits } = request;
  if (command === null) return null;
  const last = attemptsAt(run, SETUP_ROUND).at(-1) ?? 0;
  const before = attemptPaths(run, SETUP_ROUND, last);
  const known = last === 0 ? null : await readJson(before.outcome, StepRecord);
  if (known?.kind === 'ended') return faultOf(before, known);
  const { alive } = await recover({ redactor: machine.redactor, run, request, attempts: null });
  if (alive !== null) return unproved(alive);

  const attempt = last + 1;
  const paths = openStep(attemptPaths(run, SETUP_ROUND, attempt));
  await beginRound({ paths: run, round: SETUP_ROUND, attempt });
  const timeoutMs = limits.roundTimeoutMs;
  return faultOf(paths, await runCommand({ machine, run, request, place: run, paths, command, timeoutMs, turn }));
}

async function faultOf(paths: StepPaths, record: EndedStep): Promise<Fault | null> {
  if (record.receipt.proof === 'unproved') return unproved(record.receipt);
  return record.exitCode === 0 ? null : setupFailed(paths, record);
}
