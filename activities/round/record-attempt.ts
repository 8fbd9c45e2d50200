import { rm } from 'node:fs/promises';
import type { LedgerLine } from '../../schemas/run/ledger.ts';
import { outcomeInWords } from '../../schemas/round/outcome-in-words.ts';
import type { AttemptOutcome } from '../../schemas/round/round.ts';
import { appendLedgerLine } from '../../workspaces/records/ledger.ts';
import { attemptPaths, type RunPaths } from '../../workspaces/records/run-paths.ts';
import { writeJsonAtomically } from '../../workspaces/records/json-file.ts';
import { removePrivateFolders } from '../../workspaces/records/attempts.ts';

const MAX_SUMMARY_CHARS = 200;

/**
 * Write down how an attempt ended. `outcome.json` comes last of its files: whoever finds it finds all. The ledger's line
 * follows, and one that a kill swallowed is written when the outcome is read again. At the end its reading and its
 * private folders go; what cannot be removed of those must not cost the record.
 */
export async function recordAttempt(run: RunPaths, outcome: AttemptOutcome): Promise<void> {
  const paths = attemptPaths(run, outcome.round, outcome.attempt);
  await Promise.all([
    writeJsonAtomically(paths.receipt, outcome.receipt),
    outcome.kind === 'reported' ? writeJsonAtomically(paths.report, outcome.report) : null,
  ]);
  await writeJsonAtomically(paths.outcome, outcome);
  await appendLedgerLine(run, ledgerLine(outcome));
  await rm(paths.reading, { force: true });
  await removePrivateFolders(paths);
}

export function ledgerLine(outcome: AttemptOutcome): LedgerLine {
  const { round, attempt, checkpoint, usage, costUsd, costEstimated, agent, startedAt, endedAt } = outcome;
  const words = outcomeInWords(outcome);
  return {
    round,
    attempt,
    status: 'valid',
    outcome: words.outcome,
    summary: firstLine(words.summary),
    commit: checkpoint === null ? null : checkpoint.commit,
    changes: checkpoint === null ? null : checkpoint.changes,
    secrets: checkpoint === null ? [] : [...new Set(checkpoint.secrets.map(({ name }) => name))],
    usage,
    costUsd,
    costEstimated,
    agent,
    startedAt,
    endedAt,
    path: `rounds/${round}/attempt-${attempt}`,
  };
}

function firstLine(text: string): string {
  return (text.split('\n', 1)[0] ?? '').slice(0, MAX_SUMMARY_CHARS);
}
