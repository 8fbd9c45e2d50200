import { outcomeInWords } from '../../schemas/round/outcome-in-words.ts';
import type { AttemptOutcome } from '../../schemas/round/round.ts';
import type { AttemptLine } from './run-view.ts';

/** An attempt's line in a table, made from its whole record. */
export function attemptLineOf(outcome: AttemptOutcome): AttemptLine {
  const { round, attempt, startedAt, endedAt, usage, costUsd, costEstimated, agent, checkpoint } = outcome;
  return {
    round,
    attempt,
    ...outcomeInWords(outcome),
    commit: checkpoint === null ? null : checkpoint.commit,
    changes: checkpoint === null ? null : checkpoint.changes,
    secrets: checkpoint === null ? [] : [...new Set(checkpoint.secrets.map(({ name }) => name))],
    usage,
    costUsd,
    costEstimated,
    agent,
    startedAt,
    endedAt,
  };
}
