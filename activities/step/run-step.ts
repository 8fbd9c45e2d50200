import { writeFile } from 'node:fs/promises';
import { baseEnvironment } from '../../agents/containment/bubblewrap/base-environment.ts';
import { disposeEarlier } from '../../agents/containment/dispose/dispose-earlier.ts';
import { runContained } from '../../agents/containment/start/run-contained.ts';
import type { Receipt } from '../../schemas/round/receipt.ts';
import type { RunRequest } from '../../schemas/run/run.ts';
import { StepRecord, type EndedStep, type InterruptedRecord } from '../../schemas/round/step.ts';
import { removePrivateFolders } from '../../workspaces/records/attempts.ts';
import { writeJsonAtomically } from '../../workspaces/records/json-file.ts';
import type { AttemptPaths, RunPaths } from '../../workspaces/records/run-paths.ts';
import { likelyMechanism, PROVE_MS } from './disposal.ts';
import { disposalCause } from './interruption.ts';
import type { Machine } from './machine.ts';
import { mountsOf, type Place } from './mounts.ts';
import type { Turn } from './one-at-a-time.ts';
import { redacted } from './redacted.ts';

/**
 * Run a command of the run's (its setup, a gate) to its end, in the agent's sandbox, and write down how it ended, in a
 * folder of its own that was opened for it. Whatever it left is disposed of; see the receipt. Ended from outside, it
 * throws the signal's reason. Throws RalphError where the sandbox cannot be had; then nothing ran.
 */
export async function runStep({
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
  paths: AttemptPaths;
  command: string;
  timeoutMs: number;
  turn: Turn;
}): Promise<EndedStep> {
  const { sandbox, limits } = request;
  const { redactor, workerEnv } = machine;
  const { signal } = turn;
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
    signal,
    abortCause: () => disposalCause(turn.interruption()),
    redactor,
  });
  await removePrivateFolders(paths);
  if (ran.aborted) {
    await recordInterrupted(paths, { ...ran.receipt, cause: disposalCause(await turn.confirmed()) });
    throw signal.reason;
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

/** Dispose of what a step, or a review, left whose worker was lost, and write that down. */
export async function settleLost(paths: AttemptPaths, { sandbox }: Pick<RunRequest, 'sandbox'>): Promise<Receipt> {
  const receipt = await disposeEarlier({
    fenceFile: paths.fence,
    cause: 'worker-lost',
    mechanism: await likelyMechanism(sandbox),
    proveMs: PROVE_MS,
  });
  await recordInterrupted(paths, receipt);
  return receipt;
}

/** What may still run is not written off: the next one to come disposes of it again. */
async function recordInterrupted(paths: AttemptPaths, receipt: Receipt): Promise<void> {
  if (receipt.proof === 'unproved') return;
  await writeJsonAtomically(paths.outcome, { kind: 'interrupted', receipt } satisfies InterruptedRecord);
  await removePrivateFolders(paths);
}
