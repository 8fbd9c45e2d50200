import { existsSync, linkSync, mkdirSync } from 'node:fs';
import { LoopState } from '../../schemas/loop/state.ts';
import { readJson, writeJsonAtomically } from './json-file.ts';
import { readEnding } from './runs.ts';
import { roundFolder, roundStatePath, type RunPaths } from './run-paths.ts';

/**
 * Keep the state that a step was asked with, exactly as it came. A round's state is the same file under a second name: it
 * is flushed once, and replaced whole, never written into.
 * @param round where a round is asked for: its number
 */
export async function writeState(run: RunPaths, state: LoopState, round: number | null): Promise<void> {
  mkdirSync(run.root, { recursive: true, mode: 0o700 });
  await writeJsonAtomically(run.state, state);
  if (round === null || existsSync(roundStatePath(run, round))) return;
  mkdirSync(roundFolder(run, round), { recursive: true, mode: 0o700 });
  try {
    linkSync(run.state, roundStatePath(run, round));
  } catch {
    // A file system without hard links, or a full disk, which the next line names.
    await writeJsonAtomically(roundStatePath(run, round), state);
  }
}

/** The state that a step was asked with last; null: none was, or it was one of 0.1.0. */
export const readState = (run: RunPaths): Promise<LoopState | null> => readJson(run.state, LoopState);

/** The state before a round; null: that round was never asked for. */
export const readRoundState = (run: RunPaths, round: number): Promise<LoopState | null> =>
  readJson(roundStatePath(run, round), LoopState);

/** Where the loop stood in the end; null: the run has not ended by itself, or it is of 0.1.0. */
export async function readFinalState(run: RunPaths): Promise<LoopState | null> {
  const ending = await readEnding(run);
  return ending === null ? null : ending.state;
}
