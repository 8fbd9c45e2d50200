import type { Fault } from '../../schemas/round/fault.ts';
import type { Receipt } from '../../schemas/round/receipt.ts';
import type { RunRequest } from '../../schemas/run/run.ts';
import { StepRecord, type EndedStep } from '../../schemas/round/step.ts';
import { beginRound } from '../../workspaces/round/begin-round.ts';
import { readJson } from '../../workspaces/records/json-file.ts';
import { attemptPaths, type RunPaths } from '../../workspaces/records/run-paths.ts';
import { attemptsAt, openAttempt } from '../../workspaces/records/attempts.ts';
import type { Machine } from './machine.ts';
import type { Turn } from './one-at-a-time.ts';
import { unproved } from '../round/outcome.ts';
import { runStep, settleLost } from './run-step.ts';
import { setupFailed } from './setup-failed.ts';

/** Setup has the place of a round before the first: its files are in `rounds/0`. */
const SETUP_ROUND = 0;

/** Run the `setup` command once, in the agent's sandbox. @returns why it failed; null where it did not */
export async function runSetup({
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
  const last = (await attemptsAt(run, SETUP_ROUND)).at(-1) ?? 0;
  const known = last === 0 ? null : await readJson(attemptPaths(run, SETUP_ROUND, last).outcome, StepRecord);
  if (known?.kind === 'ended') return faultOf(run, last, known);
  const alive = (await settleSetup({ run, request })).find(({ proof }) => proof === 'unproved');
  if (alive !== undefined) return unproved(alive);

  const attempt = last + 1;
  const paths = await openAttempt(run, SETUP_ROUND, attempt);
  await beginRound({ paths: run, round: SETUP_ROUND, attempt });
  const timeoutMs = limits.roundTimeoutMs;
  return faultOf(run, attempt, await runStep({ machine, run, request, place: run, paths, command, timeoutMs, turn }));
}

/** Dispose of what a lost setup left, and write that down. @returns the receipts, as `settleAttempts` does */
export async function settleSetup({ run, request }: { run: RunPaths; request: RunRequest }): Promise<Receipt[]> {
  const receipts: Receipt[] = [];
  for (const attempt of await attemptsAt(run, SETUP_ROUND)) {
    const paths = attemptPaths(run, SETUP_ROUND, attempt);
    if ((await readJson(paths.outcome, StepRecord)) === null) receipts.push(await settleLost(paths, request));
  }
  return receipts;
}

/** How the last attempt at the setup was disposed of; null where there was none. */
export async function setupReceipt(run: RunPaths): Promise<Receipt | null> {
  const last = (await attemptsAt(run, SETUP_ROUND)).at(-1);
  if (last === undefined) return null;
  const record = await readJson(attemptPaths(run, SETUP_ROUND, last).outcome, StepRecord);
  return record === null ? null : record.receipt;
}

async function faultOf(run: RunPaths, attempt: number, record: EndedStep): Promise<Fault | null> {
  if (record.receipt.proof === 'unproved') return unproved(record.receipt);
  if (record.exitCode === 0) return null;
  return setupFailed(attemptPaths(run, SETUP_ROUND, attempt), record);
}
