import type { Spent } from '../../schemas/budget/budget.ts';
import type { KnownWork } from '../../schemas/loop/known-work.ts';
import { chargeLost, chargeLostGates } from '../../schemas/budget/spend.ts';
import { lostAttempts } from './lost-attempts.ts';
import { lostGates, lostReviews } from './lost-checks.ts';
import type { RunPaths } from './run-paths.ts';

/** What a run used in all, while nothing of it is under way: what its loop has counted, and what was ended from outside since. */
export async function withLost(run: RunPaths, counted: Spent, { attempts, checks }: KnownWork): Promise<Spent> {
  const lost = attempts === null ? [] : await lostAttempts(run, attempts);
  const gates = checks === null ? [] : await lostGates(run, checks.round, checks.afterCheck);
  const reviews = checks === null ? [] : await lostReviews(run, checks.round, checks.afterReview);
  return [...lost, ...reviews].reduce(chargeLost, gates.reduce(chargeLostGates, counted));
}
