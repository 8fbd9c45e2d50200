import { attemptsAt, lastRound } from '../../workspaces/records/attempts.ts';
import { appendLedgerLine, readAttempts, readOutcome } from '../../workspaces/records/ledger.ts';
import type { RunPaths } from '../../workspaces/records/run-paths.ts';
import { ledgerLine } from './record-attempt.ts';

/** Write the ledger's line of an outcome where a kill came between the two. */
export async function mendLedger(run: RunPaths): Promise<void> {
  const last = await lastRound(run);
  if (last === null) return;
  const lines = await readAttempts(run);
  for (const attempt of await attemptsAt(run, last)) {
    if (lines.some((line) => line.round === last && line.attempt === attempt)) continue;
    const outcome = await readOutcome(run, last, attempt);
    if (outcome !== null) await appendLedgerLine(run, ledgerLine(outcome));
  }
}
