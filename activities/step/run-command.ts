import { writeFile } from 'node:fs/promises';
import { baseEnvironment } from '../../agents/containment/bubblewrap/base-environment.ts';
import { runContained } from '../../agents/containment/start/run-contained.ts';
import { StepRecord, type EndedStep } from '../../schemas/round/step.ts';
import type { RunRequest } from '../../schemas/run/run.ts';
import { writeJsonAtomically } from '../../workspaces/records/json-file.ts';
import type { RunPaths, StepPaths } from '../../workspaces/records/run-paths.ts';
import { recordInterrupted, removePrivateFolders } from '../../workspaces/records/steps.ts';
import { disposalCause } from './interruption.ts';
import { redacted, type Machine } from './machine.ts';
import { mountsOf, type Place } from './mounts.ts';
import type { Turn } from './one-at-a-time.ts';

/**
 * Run a command of the run's (its setup, a gate) to its end, in the agent's sandbox, and write down how it ended, in the
 * folder that was opened for it. Whatever it left is disposed of; see the receipt. If it is ended from outside, throws
 * the signal's reason. Throws RalphError if the sandbox cannot be had; then nothing ran.
 */
export async function runCommand({
  machine,
  run,
  request,
  place,
  paths,
  command,
  timeoutMs,
  turn,
}: {
  machine: Machine;
  run: RunPaths;
  request: Pick<RunRequest, 'sandbox' | 'limits'>;
  place: Place;
  paths: StepPaths;
  command: string;
  timeoutMs: number;
  turn: Turn;
}): Promise<EndedStep> {
  const { sandbox, limits } = request;
  const { redactor, workerEnv } = machine;
  await writeFile(paths.prompt, '', { mode: 0o600 });
  const mounts = mountsOf({ machine, run, place, paths, sandbox });
  const ran = await runContained({
    argv: ['/bin/sh', '-c', command],
    env: baseEnvironment({ mounts, workerEnv }),
    stdinFile: paths.prompt,
    sandbox,
    mounts,
    fenceFile: paths.fence,
    stdoutFile: paths.transcript,
    stderrFile: paths.stderr,
    timeoutMs,
    graceMs: limits.graceMs,
    signal: turn.signal,
    abortCause: () => disposalCause(turn.interruption()),
    redactor,
  });
  await removePrivateFolders(paths);
  if (ran.aborted) {
    await recordInterrupted(paths, { ...ran.receipt, cause: disposalCause(await turn.confirmed()) });
    throw turn.signal.reason;
  }
  const ended: EndedStep = {
    kind: 'ended',
    command,
    exitCode: ran.exit === null ? null : ran.exit.code,
    timedOut: ran.timedOut,
    ms: ran.ms,
    receipt: ran.receipt,
  };
  await writeJsonAtomically(paths.outcome, redacted({ redactor, schema: StepRecord, record: ended }));
  return ended;
}
