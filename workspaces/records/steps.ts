import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { Receipt } from '../../schemas/round/receipt.ts';
import type { InterruptedRecord } from '../../schemas/round/step.ts';
import { listIfAny } from '../files/list-if-any.ts';
import { removeTree } from '../files/remove-tree.ts';
import { readJson, writeJsonAtomically } from './json-file.ts';
import {
  attemptPaths,
  checkPaths,
  numbersOf,
  reviewPaths,
  roundFolder,
  roundStatePath,
  type CheckPaths,
  type RunPaths,
  type StepPaths,
} from './run-paths.ts';

/**
 * A step: one contained command of a run, with a folder of its own. The folder holds the fence, which says who holds
 * the command's processes, and the outcome, which is written last. A step without an outcome is under way or was lost.
 */
export interface Step {
  /** `gate`: a command of a run of the gates, also their setup. */
  readonly kind: 'setup' | 'attempt' | 'gate' | 'review';
  /** 0: before the first. */
  readonly round: number;
  /** Counts the attempts, the runs of the gates or the reviews of the round, from 1. */
  readonly number: number;
  /** The folder, below the round's: `attempt-1`, `gates-1/step-2`, `review-1`. */
  readonly name: string;
  readonly paths: StepPaths;
}

/** Begin a step: make its folder, which reserves its name. Fails if the name is taken. */
export function openStep(paths: StepPaths): StepPaths {
  mkdirSync(path.dirname(paths.root), { recursive: true, mode: 0o700 });
  for (const folder of [paths.root, paths.home, paths.inbox]) mkdirSync(folder, { mode: 0o700 });
  return paths;
}

/** The steps of a round that were begun: attempts first, then gates, then reviews, each in order. */
function stepsAt(run: RunPaths, round: number): Step[] {
  const step = (kind: Step['kind'], number: number, paths: StepPaths): Step => {
    return { kind, round, number, name: path.relative(roundFolder(run, round), paths.root), paths };
  };
  const attempts = attemptsAt(run, round).map((number) =>
    step(round === 0 ? 'setup' : 'attempt', number, attemptPaths(run, round, number)),
  );
  const gates = checksAt(run, round).flatMap((number) => {
    const check = checkPaths(run, round, number);
    return commandsOf(check).map((command) => step('gate', number, check.step(command)));
  });
  const reviews = reviewsAt(run, round).map((number) => step('review', number, reviewPaths(run, round, number)));
  return [...attempts, ...gates, ...reviews];
}

/** The steps of which something may still run: those before round 1, and those of the last round. */
export function recentSteps(run: RunPaths): Step[] {
  const last = lastRound(run);
  return [...stepsAt(run, 0), ...(last === null ? [] : stepsAt(run, last))];
}

/** Those of them that have no outcome: under way, or their worker was lost. */
export function unrecoveredSteps(run: RunPaths): Step[] {
  return recentSteps(run).filter(({ paths }) => !existsSync(paths.outcome));
}

/** Whether a step that never started says nothing of how a run was disposed of: gates get their folders in advance. */
export const saysNothing = ({ kind }: Step, { proof }: Receipt): boolean =>
  proof === 'nothing-started' && (kind === 'gate' || kind === 'review');

/** The one part that the records of all steps share. */
const Disposed = z.object({ receipt: Receipt });

/** How the last attempt (if there is none, the last setup) and what checked its completion claim were disposed of. */
export async function receiptsAtRest(run: RunPaths): Promise<Receipt[]> {
  const steps = recentSteps(run);
  const worked = steps.findLast(({ kind }) => kind === 'attempt' || kind === 'setup');
  const checks = steps.filter(({ kind }) => kind === 'gate' || kind === 'review');
  const receipts: Receipt[] = [];
  for (const step of [...(worked === undefined ? [] : [worked]), ...checks]) {
    const record = await readJson(step.paths.outcome, Disposed);
    if (record !== null && !saysNothing(step, record.receipt)) receipts.push(record.receipt);
  }
  return receipts;
}

/** Write down a step that was ended from outside, unless it may still run: then the next one to come disposes of it again. */
export async function recordInterrupted(paths: StepPaths, receipt: Receipt): Promise<void> {
  if (receipt.proof === 'unproved') return;
  await writeJsonAtomically(paths.outcome, { kind: 'interrupted', receipt } satisfies InterruptedRecord);
  await removePrivateFolders(paths);
}

/**
 * Remove what a step wrote that nobody redacted: its private HOME, in which a login may lie, and its inbox. What another
 * user made in them may not be ours to remove, and stays.
 */
export async function removePrivateFolders({ home, inbox }: StepPaths): Promise<void> {
  for (const folder of [home, inbox]) await removeTree(folder).catch(() => undefined);
}

/** Numbers of the attempts at a round that were begun, in order. Round 0: at the setup. */
export function attemptsAt(run: RunPaths, round: number): number[] {
  return numbersOf('attempt', listIfAny(roundFolder(run, round)));
}

/** Numbers of the runs of the gates after a round that were begun, in order. */
export function checksAt(run: RunPaths, round: number): number[] {
  return numbersOf('gates', listIfAny(roundFolder(run, round)));
}

/** Numbers of the commands of a run of the gates that have a folder, in order; 0: the setup. */
export function commandsOf({ root }: CheckPaths): number[] {
  return numbersOf('command', listIfAny(root));
}

/** Numbers of the reviews after a round that were begun, in order. */
export function reviewsAt(run: RunPaths, round: number): number[] {
  return numbersOf('review', listIfAny(roundFolder(run, round)));
}

/** The last round that was begun; null before the first. */
function lastRound(run: RunPaths): number | null {
  const last = roundsBegun(run).at(-1);
  return last === undefined || last === 0 ? null : last;
}

/** Numbers of the rounds that were begun, in order; 0 stands for what comes before the first. */
export function roundsBegun(run: RunPaths): number[] {
  const rounds = numbersOf('round', listIfAny(run.rounds));
  const last = rounds.at(-1);
  if (last === undefined || last === 0) return rounds;
  // The last one may only have been asked for: then its state is there, and nothing else.
  const names = listIfAny(roundFolder(run, last));
  return names.every((name) => name === path.basename(roundStatePath(run, last))) ? rounds.slice(0, -1) : rounds;
}
