import { join } from 'node:path';
import { GateCheck } from '../schemas/gate.ts';
import { FinishedReview } from '../schemas/review.ts';
import { readJson } from './json-file.ts';
import { listIfAny } from './list-if-any.ts';
import type { RunPaths } from './run-paths.ts';

type Checked = Extract<GateCheck, { kind: 'checked' }>;
type Reviewed = Extract<FinishedReview, { kind: 'reviewed' }>;

/** What the gates last said of a round's claim; null: they never ran to their end. @param round 0: the baseline */
export async function lastCheck(run: RunPaths, round: number): Promise<Checked | null> {
  for (const folder of await latestFirst(run, round, /^gates-(\d+)$/)) {
    const check = await readJson(join(folder, 'check.json'), GateCheck);
    if (check !== null && check.kind === 'checked') return check;
  }
  return null;
}

/** What a reviewer last said of a round's claim; null: none judged it. */
export async function lastReview(run: RunPaths, round: number): Promise<Reviewed | null> {
  for (const folder of await latestFirst(run, round, /^review-(\d+)$/)) {
    const review = await readJson(join(folder, 'outcome.json'), FinishedReview);
    if (review !== null && review.kind === 'reviewed') return review;
  }
  return null;
}

async function latestFirst(run: RunPaths, round: number, pattern: RegExp): Promise<string[]> {
  const folder = join(run.rounds, String(round));
  const numbered = (await listIfAny(folder)).flatMap((name) => {
    const number = pattern.exec(name)?.[1];
    return number === undefined ? [] : [{ name, number: Number(number) }];
  });
  return numbered.toSorted((a, b) => b.number - a.number).map(({ name }) => join(folder, name));
}
