import { exists } from '../../system/exists.ts';
import { lastRound, numbersIn } from './attempts.ts';
import { checkPaths, reviewPaths, roundFolder, type AttemptPaths, type RunPaths } from './run-paths.ts';

/** The folder of a contained command that checks a claim of completion: a step of the gates, or a review. */
export interface CheckFolder {
  readonly round: number;
  /** Below the round's: `gates-1/step-2`, `review-1`. */
  readonly name: string;
  readonly paths: AttemptPaths;
}

/** Numbers of the runs of the gates after a round that were begun, in order. */
export async function checksAt(run: RunPaths, round: number): Promise<number[]> {
  return numbersIn(roundFolder(run, round), /^gates-(\d+)$/);
}

/** Numbers of the reviews after a round that were begun, in order. */
export async function reviewsAt(run: RunPaths, round: number): Promise<number[]> {
  return numbersIn(roundFolder(run, round), /^review-(\d+)$/);
}

/** The folders of all that checked a round, in order. */
export async function checkFoldersAt(run: RunPaths, round: number): Promise<CheckFolder[]> {
  const folders: CheckFolder[] = [];
  for (const check of await checksAt(run, round)) {
    const { root, step } = checkPaths(run, round, check);
    for (const number of await numbersIn(root, /^step-(\d+)$/)) {
      folders.push({ round, name: `gates-${check}/step-${number}`, paths: step(number) });
    }
  }
  for (const review of await reviewsAt(run, round)) {
    folders.push({ round, name: `review-${review}`, paths: reviewPaths(run, round, review) });
  }
  return folders;
}

/** The same for where something may still run or be read: before round 1, and after the run's last round. */
export async function lastCheckFolders(run: RunPaths): Promise<CheckFolder[]> {
  const last = await lastRound(run);
  return [...(await checkFoldersAt(run, 0)), ...(last === null ? [] : await checkFoldersAt(run, last))];
}

/** Those of them that have no outcome: under way, or their worker was lost. */
export async function unsettledCheckFolders(run: RunPaths): Promise<CheckFolder[]> {
  const folders = await lastCheckFolders(run);
  const settled = await Promise.all(folders.map(({ paths }) => exists(paths.outcome)));
  return folders.filter((_, i) => settled[i] === false);
}
