import { writeFile } from 'node:fs/promises';
import { baseEnvironment } from '../agents/containment/base-environment.ts';
import { disposeEarlier } from '../agents/containment/dispose-earlier.ts';
import { runContained } from '../agents/containment/run-contained.ts';
import type { Fault } from '../schemas/fault.ts';
import type { DisposalCause, Receipt } from '../schemas/receipt.ts';
import type { RunRequest } from '../schemas/run.ts';
import { SetupRecord } from '../schemas/setup.ts';
import { oneLine } from '../agents/one-line.ts';
import { beginRound } from '../workspaces/begin-round.ts';
import { readJson, writeJsonAtomically } from '../workspaces/json-file.ts';
import { attemptPaths, type AttemptPaths, type RunPaths } from '../workspaces/run-paths.ts';
import { attemptsAt, openAttempt, removePrivateFolders } from '../workspaces/attempts.ts';
import { likelyMechanism, PROVE_MS } from './disposal.ts';
import { fileEnds } from './file-ends.ts';
import type { Machine } from './machine.ts';
import { mountsOf } from './mounts.ts';
import { redacted } from './redacted.ts';
import { unproved } from './outcome.ts';

/** Setup has the place of a round before the first: its files are in `rounds/0`. */
const SETUP_ROUND = 0;
/** The cause stands at the beginning (npm) or at the end (most others). */
const SHOWN_OUTPUT_BYTES = { first: 700, last: 700 };
const MAX_SAID_CHARS = 1_500;

/** Run the `setup` command once, in the agent's sandbox. @returns why it failed; null where it did not */
export async function runSetup({
  machine,
  run,
  request,
  signal,
  abortCause,
}: {
  machine: Machine;
  run: RunPaths;
  request: RunRequest;
  signal: AbortSignal;
  abortCause: () => DisposalCause;
}): Promise<Fault | null> {
  const { setup: command, sandbox, limits } = request;
  if (command === null) return null;
  const last = (await attemptsAt(run, SETUP_ROUND)).at(-1) ?? 0;
  const known = last === 0 ? null : await readJson(attemptPaths(run, SETUP_ROUND, last).outcome, SetupRecord);
  if (known?.kind === 'ended') return faultOf(run, last, known);
  const alive = (await settleSetup({ run, request })).find(({ proof }) => proof === 'unproved');
  if (alive !== undefined) return unproved(alive);

  const attempt = last + 1;
  const paths = await openAttempt(run, SETUP_ROUND, attempt);
  await beginRound({ paths: run, round: SETUP_ROUND, attempt });
  await writeFile(paths.prompt, '', { mode: 0o600 });
  const mounts = mountsOf({ machine, run, paths, sandbox });
  const ran = await runContained({
    argv: ['/bin/sh', '-c', command],
    env: baseEnvironment({ mounts, workerEnv: machine.workerEnv }),
    stdinFile: paths.prompt,
    sandbox,
    mounts,
    fenceFile: paths.fence,
    stdoutFile: paths.transcript,
    stderrFile: paths.stderr,
    timeoutMs: limits.roundTimeoutMs,
    graceMs: limits.graceMs,
    signal,
    abortCause,
    redactor: machine.redactor,
  });
  await removePrivateFolders(paths);
  if (ran.aborted) {
    await interrupted(paths, ran.receipt);
    throw signal.reason;
  }
  const record: Ended = {
    kind: 'ended',
    command,
    exitCode: ran.exit === null ? null : ran.exit.code,
    timedOut: ran.timedOut,
    ms: ran.ms,
    receipt: ran.receipt,
  };
  await writeJsonAtomically(paths.outcome, redacted({ redactor: machine.redactor, schema: SetupRecord, record }));
  return faultOf(run, attempt, record);
}

/** Dispose of what a lost setup left, and write that down. @returns the receipts, as `settleAttempts` does */
export async function settleSetup({ run, request }: { run: RunPaths; request: RunRequest }): Promise<Receipt[]> {
  const receipts: Receipt[] = [];
  for (const attempt of await attemptsAt(run, SETUP_ROUND)) {
    const paths = attemptPaths(run, SETUP_ROUND, attempt);
    if ((await readJson(paths.outcome, SetupRecord)) !== null) continue;
    const receipt = await disposeEarlier({
      fenceFile: paths.fence,
      cause: 'worker-lost',
      mechanism: await likelyMechanism(request.sandbox),
      proveMs: PROVE_MS,
    });
    receipts.push(receipt);
    await interrupted(paths, receipt);
  }
  return receipts;
}

/** How the last attempt at the setup was disposed of; null where there was none. */
export async function setupReceipt(run: RunPaths): Promise<Receipt | null> {
  const last = (await attemptsAt(run, SETUP_ROUND)).at(-1);
  if (last === undefined) return null;
  const record = await readJson(attemptPaths(run, SETUP_ROUND, last).outcome, SetupRecord);
  return record === null ? null : record.receipt;
}

type Ended = Extract<SetupRecord, { kind: 'ended' }>;

/** What may still run is not written off: the next one to come disposes of it again. */
async function interrupted(paths: AttemptPaths, receipt: Receipt): Promise<void> {
  if (receipt.proof === 'unproved') return;
  await writeJsonAtomically(paths.outcome, { kind: 'interrupted', receipt } satisfies SetupRecord);
}

async function faultOf(run: RunPaths, attempt: number, record: Ended): Promise<Fault | null> {
  if (record.receipt.proof === 'unproved') return unproved(record.receipt);
  if (record.exitCode === 0) return null;
  const how = record.timedOut
    ? `did not end within ${record.ms / 1000} s`
    : `exits ${record.exitCode ?? 'by a signal'}`;
  const paths = attemptPaths(run, SETUP_ROUND, attempt);
  const said =
    (await fileEnds(paths.stderr, SHOWN_OUTPUT_BYTES)) || (await fileEnds(paths.transcript, SHOWN_OUTPUT_BYTES));
  const words = said === '' ? 'It printed nothing.' : `It said: ${oneLine(said, MAX_SAID_CHARS)}`;
  return { code: 'setup-failed', message: `setup "${record.command}" ${how}. ${words}`, resetAt: null };
}
