import { mkdir, readdir } from 'node:fs/promises';
import path from 'node:path';
import type { AttemptOutcome, FinishedAttempt } from '../schemas/round.ts';
import { readAttempts, readOutcome } from '../workspaces/ledger.ts';
import { attemptPaths, type AttemptPaths, type RunPaths } from '../workspaces/run-paths.ts';
import { recordAttempt } from './record-attempt.ts';

/** Begin an attempt: its folder is the claim to its number. Fails where the number is taken. */
export async function openAttempt(run: RunPaths, round: number, attempt: number): Promise<AttemptPaths> {
  const paths = attemptPaths(run, round, attempt);
  await mkdir(path.dirname(paths.root), { recursive: true, mode: 0o700 });
  await mkdir(paths.root, { mode: 0o700 });
  await mkdir(paths.home, { mode: 0o700 });
  await mkdir(paths.inbox, { mode: 0o700 });
  return paths;
}

/** Numbers of the attempts at a round that were begun, in order. */
export async function attemptsAt(run: RunPaths, round: number): Promise<number[]> {
  return numbersIn(path.join(run.rounds, String(round)), /^attempt-(\d+)$/);
}

/** Attempts of the run's last begun round that never got an outcome: their worker was lost. */
export async function unsettledAttempts(run: RunPaths): Promise<{ round: number; attempt: number }[]> {
  const round = (await numbersIn(run.rounds, /^([1-9]\d*)$/)).at(-1);
  if (round === undefined) return [];
  const unsettled = [];
  for (const attempt of await attemptsAt(run, round)) {
    if ((await readOutcome(run, round, attempt)) === null) unsettled.push({ round, attempt });
  }
  return unsettled;
}

/**
 * The outcome of an attempt that finished, and that the loop does not know yet as the worker was lost right then: a
 * round is paid for once. Null: none. A ledger line that the same loss swallowed is written.
 */
export async function finishedSince(run: RunPaths, round: number, after: number): Promise<FinishedAttempt | null> {
  for (const attempt of await attemptsAt(run, round)) {
    if (attempt <= after) continue;
    const outcome = await readOutcome(run, round, attempt);
    if (outcome === null || outcome.kind === 'interrupted') continue;
    if (!(await isInLedger(run, outcome))) await recordAttempt(run, outcome);
    return outcome;
  }
  return null;
}

async function isInLedger(run: RunPaths, { round, attempt }: AttemptOutcome): Promise<boolean> {
  const lines = await readAttempts(run);
  return lines.some((line) => line.round === round && line.attempt === attempt);
}

async function numbersIn(folder: string, pattern: RegExp): Promise<number[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  return names
    .flatMap((name) => pattern.exec(name)?.[1] ?? [])
    .map(Number)
    .toSorted((a, b) => a - b);
}

/** How the last attempt of the last round ended; null before the first did. */
export async function lastOutcome(run: RunPaths): Promise<AttemptOutcome | null> {
  const round = (await numbersIn(run.rounds, /^([1-9]\d*)$/)).at(-1);
  if (round === undefined) return null;
  const attempt = (await attemptsAt(run, round)).at(-1);
  return attempt === undefined ? null : readOutcome(run, round, attempt);
}
