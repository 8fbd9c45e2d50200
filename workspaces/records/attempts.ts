import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { AttemptOutcome, FinishedAttempt } from '../../schemas/round/round.ts';
import { readOutcome } from './ledger.ts';
import { listIfAny } from './list-if-any.ts';
import { removeTree } from '../files/remove-tree.ts';
import { attemptPaths, roundFolder, type AttemptPaths, type RunPaths } from './run-paths.ts';

/** Begin an attempt: its folder is the claim to its number. Fails where the number is taken. */
export async function openAttempt(run: RunPaths, round: number, attempt: number): Promise<AttemptPaths> {
  return openFolder(attemptPaths(run, round, attempt));
}

/** Make the folder of a contained command, which is the claim to its name. Fails where the name is taken. */
export async function openFolder(paths: AttemptPaths): Promise<AttemptPaths> {
  await mkdir(path.dirname(paths.root), { recursive: true, mode: 0o700 });
  await mkdir(paths.root, { mode: 0o700 });
  await mkdir(paths.home, { mode: 0o700 });
  await mkdir(paths.inbox, { mode: 0o700 });
  return paths;
}

/** Numbers of the attempts at a round that were begun, in order. */
export async function attemptsAt(run: RunPaths, round: number): Promise<number[]> {
  return numbersIn(roundFolder(run, round), /^attempt-(\d+)$/);
}

/** Attempts of the run's last begun round that never got an outcome: their worker was lost. */
export async function unsettledAttempts(run: RunPaths): Promise<{ round: number; attempt: number }[]> {
  const round = await lastRound(run);
  if (round === null) return [];
  const unsettled = [];
  for (const attempt of await attemptsAt(run, round)) {
    if ((await readOutcome(run, round, attempt)) === null) unsettled.push({ round, attempt });
  }
  return unsettled;
}

/**
 * The outcome of an attempt that finished, and that the loop does not know yet as the worker was lost right then: a
 * round is paid for once. Null: none.
 */
export async function finishedSince(run: RunPaths, round: number, after: number): Promise<FinishedAttempt | null> {
  for (const attempt of await attemptsAt(run, round)) {
    if (attempt <= after) continue;
    const outcome = await readOutcome(run, round, attempt);
    if (outcome !== null && outcome.kind !== 'interrupted') return outcome;
  }
  return null;
}

/** The attempts at a round that were ended from outside, and that the loop does not know yet. */
export async function lostSince(run: RunPaths, round: number, after: number): Promise<LostOutcome[]> {
  const lost: LostOutcome[] = [];
  for (const attempt of await attemptsAt(run, round)) {
    if (attempt <= after) continue;
    const outcome = await readOutcome(run, round, attempt);
    if (outcome !== null && outcome.kind === 'interrupted') lost.push(outcome);
  }
  return lost;
}
type LostOutcome = Extract<AttemptOutcome, { kind: 'interrupted' }>;

/** How the last attempt of the last round ended; null before the first did. */
export async function lastOutcome(run: RunPaths): Promise<AttemptOutcome | null> {
  const round = await lastRound(run);
  if (round === null) return null;
  const attempt = (await attemptsAt(run, round)).at(-1);
  return attempt === undefined ? null : readOutcome(run, round, attempt);
}

/** The last checkpoint that an attempt made, and where the user's repository shows it; nulls before the first. */
export async function lastWork(run: RunPaths): Promise<{ commit: string | null; ref: string | null }> {
  for (const round of (await roundsBegun(run)).filter((begun) => begun > 0).toReversed()) {
    for (const attempt of (await attemptsAt(run, round)).toReversed()) {
      const checkpoint = (await readOutcome(run, round, attempt))?.checkpoint ?? null;
      if (checkpoint !== null) return { commit: checkpoint.commit, ref: checkpoint.ref };
    }
  }
  return { commit: null, ref: null };
}

/**
 * Take away what an attempt wrote that nobody redacted: its private HOME, in which a login may lie, and its inbox. As far
 * as it goes: what another user made in them may not be ours to remove.
 */
export async function removePrivateFolders({ home, inbox }: AttemptPaths): Promise<void> {
  for (const folder of [home, inbox]) await removeTree(folder).catch(() => undefined);
}

/** The same for what is left of the last round's attempts. */
export async function removePrivateFoldersOf(run: RunPaths): Promise<void> {
  const round = await lastRound(run);
  if (round === null) return;
  for (const attempt of await attemptsAt(run, round)) {
    await removePrivateFolders(attemptPaths(run, round, attempt));
  }
}

/** The last round that was begun; null before the first. */
export async function lastRound(run: RunPaths): Promise<number | null> {
  const last = (await roundsBegun(run)).at(-1);
  return last === undefined || last === 0 ? null : last;
}

/** Numbers of the rounds that were begun, in order; 0 is the setup command's. */
export async function roundsBegun(run: RunPaths): Promise<number[]> {
  return numbersIn(run.rounds, /^(\d+)$/);
}

/** The numbers that a pattern finds in a folder's names, in order; none where there is no such folder. */
export async function numbersIn(folder: string, pattern: RegExp): Promise<number[]> {
  return (await listIfAny(folder))
    .flatMap((name) => pattern.exec(name)?.[1] ?? [])
    .map(Number)
    .toSorted((a, b) => a - b);
}
