import type { AttemptOutcome } from '../schemas/round.ts';
import type { AttemptLine } from './run-view.ts';

/** An attempt's line in a table, made from its whole record. */
export function attemptLineOf(outcome: AttemptOutcome): AttemptLine {
  const { round, attempt, startedAt, endedAt, usage, costUsd, checkpoint } = outcome;
  return {
    round,
    attempt,
    ...told(outcome),
    commit: checkpoint === null ? null : checkpoint.commit,
    changes: checkpoint === null ? null : checkpoint.changes,
    secrets: checkpoint === null ? [] : [...new Set(checkpoint.secrets.map(({ name }) => name))],
    usage,
    costUsd,
    startedAt,
    endedAt,
  };
}

function told(outcome: AttemptOutcome): { outcome: string; summary: string } {
  switch (outcome.kind) {
    case 'reported':
      return { outcome: outcome.report.status, summary: outcome.report.summary };
    case 'failed':
      return { outcome: outcome.fault.code, summary: outcome.fault.message };
    case 'interrupted':
      return { outcome: outcome.by, summary: '' };
    default:
      return outcome satisfies never;
  }
}
