import type { Spent } from '../../schemas/budget/budget.ts';
import type { Ceilings } from '../../schemas/loop/loop.ts';
import type { RunRequest } from '../../schemas/run/run.ts';
import type { DiskRun } from './disk-run.ts';
import { givenUp } from '../resume/gone-on-from.ts';
import type { RestingRun } from '../control/resting-run.ts';
import { roundsUsed, spentBy } from './spent-by.ts';
import { sumSpent } from './sum-spent.ts';

/** What is counted against the budgets of a run that has ended, before another one goes on from it. */
export interface UsedBefore {
  readonly request: RunRequest;
  readonly ceilings: Ceilings | null;
  readonly spent: Spent;
  readonly rounds: number;
}

/** What it used, and runs after it that were all taken back: `before` are they all. */
export async function usedBefore(
  ralphHome: string,
  run: RestingRun,
  successors: readonly string[],
): Promise<{ before: readonly DiskRun[]; used: UsedBefore }> {
  const before = [run, ...(await givenUp(ralphHome, successors))];
  const used = {
    request: run.request,
    ceilings: run.ending === null ? null : run.ending.ceilings,
    spent: sumSpent(before.map((each) => spentBy(each))),
    rounds: before.reduce((total, each) => total + roundsUsed(each), 0),
  };
  return { before, used };
}
