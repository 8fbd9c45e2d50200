import type { ReportedAttempt } from '../../schemas/round/round.ts';
import { readOutcome } from '../../workspaces/records/attempts.ts';
import { attemptsAt } from '../../workspaces/records/steps.ts';
import type { RunPaths } from '../../workspaces/records/run-paths.ts';

/** The last attempt up to this round that ended with a report; null: none of this run did. */
export async function lastReport(paths: RunPaths, round: number): Promise<ReportedAttempt | null> {
  for (let at = round; at > 0; at -= 1) {
    for (const attempt of (await attemptsAt(paths, at)).toReversed()) {
      const outcome = await readOutcome(paths, at, attempt);
      if (outcome !== null && outcome.kind === 'reported') return outcome;
    }
  }
  return null;
}
