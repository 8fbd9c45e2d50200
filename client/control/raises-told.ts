import path from 'node:path';
import { homePaths } from '../../host/home-paths.ts';
import { Ceilings } from '../../schemas/loop/loop.ts';
import { readJson, writeJsonAtomically } from '../../workspaces/records/json-file.ts';
import { BUDGETS } from '../start/budget-kinds.ts';
import type { Raise } from './raise-budgets.ts';

/** What a run was last told from here to have, whether or not it has heard of it. Null: nothing. */
export function raisesTold(ralphHome: string, runId: string): Promise<Ceilings | null> {
  return readJson(fileOf(ralphHome, runId), Ceilings);
}

/** Write down that a run was told so. */
export async function noteRaise(ralphHome: string, runId: string, told: Ceilings): Promise<void> {
  await writeJsonAtomically(fileOf(ralphHome, runId), told);
}

const fileOf = (ralphHome: string, runId: string): string =>
  path.join(homePaths(ralphHome).lines, `${runId}.raised.json`);

/** The totals once a run has heard of this as well: they only rise, and what has no limit has none. */
export function raisedTo(now: Ceilings, by: Pick<Raise, 'maxRounds' | 'budgets'> | null): Ceilings {
  if (by === null) return { maxRounds: now.maxRounds, budgets: now.budgets };
  const budgets = { ...now.budgets };
  for (const { limit } of BUDGETS) {
    const [has, asked] = [budgets[limit], by.budgets[limit]];
    if (has !== null && asked !== null) budgets[limit] = Math.max(has, asked);
  }
  return { maxRounds: Math.max(now.maxRounds, by.maxRounds ?? 0), budgets };
}
