import type { Usage } from '../../schemas/round/usage.ts';
import type { RoundProgress } from '../../schemas/round/round-input.ts';
import { isLost, likelyUse } from './likely-use.ts';
import type { AttemptLine, RoundRow } from './run-view.ts';

/** The table of a run's rounds, from its ended attempts in any order and the attempt under way. */
export function roundRows(lines: readonly AttemptLine[], progress: RoundProgress | null): RoundRow[] {
  const byRound = new Map<number, AttemptLine[]>();
  for (const line of lines) byRound.set(line.round, [...(byRound.get(line.round) ?? []), line]);
  const rows: RoundRow[] = [];
  for (const [round, attempts] of [...byRound].toSorted(([a], [b]) => a - b)) {
    rows.push({ ...endedRow(round, attempts), ...likelyUse(attempts, rows) });
  }
  if (progress !== null) {
    const at = rows.findIndex(({ round }) => round === progress.round);
    const running = runningRow(progress, at === -1 ? null : (rows[at] ?? null));
    if (at === -1) rows.push(running);
    else rows[at] = running;
  }
  return rows.toSorted((a, b) => a.round - b.round);
}

function endedRow(round: number, unsorted: readonly AttemptLine[]): Omit<RoundRow, 'likelyTokens' | 'likelyCostUsd'> {
  const attempts = unsorted.toSorted((a, b) => a.attempt - b.attempt);
  const [first] = attempts;
  const last = attempts.at(-1);
  if (first === undefined || last === undefined) throw new Error(`round ${round} has no attempt`);
  return {
    round,
    attempts: last.attempt,
    interrupted: attempts.filter(({ outcome }) => isLost(outcome)).length,
    status: last.outcome,
    startedAt: first.startedAt,
    endedAt: last.endedAt,
    durationMs: Date.parse(last.endedAt) - Date.parse(first.startedAt),
    usage: sum(attempts.map(({ usage }) => usage)),
    costUsd: attempts.reduce<number | null>(
      (total, { costUsd }) => (total === null || costUsd === null ? null : total + costUsd),
      0,
    ),
    costEstimated: attempts.some(({ costEstimated }) => costEstimated),
    agents: [...new Set(attempts.flatMap(({ agent }) => agent ?? []))],
    refused: null,
    commit: attempts.findLast(({ commit }) => commit !== null)?.commit ?? null,
    changes: attempts.reduce<RoundRow['changes']>(
      (total, { changes }) =>
        changes === null
          ? total
          : {
              files: (total?.files ?? 0) + changes.files,
              insertions: (total?.insertions ?? 0) + changes.insertions,
              deletions: (total?.deletions ?? 0) + changes.deletions,
            },
      null,
    ),
    summary: last.summary,
    secrets: [...new Set(attempts.flatMap(({ secrets }) => secrets))],
  };
}

function runningRow(progress: RoundProgress, earlier: RoundRow | null): RoundRow {
  // A heartbeat can be older than the attempt's end in the ledger: what has ended stays ended.
  if (earlier !== null && earlier.attempts >= progress.attempt) return earlier;
  return {
    round: progress.round,
    attempts: progress.attempt,
    interrupted: earlier === null ? 0 : earlier.interrupted,
    status: 'running',
    startedAt: earlier === null ? progress.startedAt : earlier.startedAt,
    endedAt: null,
    durationMs: null,
    usage: null,
    costUsd: null,
    costEstimated: false,
    likelyTokens: null,
    likelyCostUsd: null,
    agents: earlier === null ? [] : earlier.agents,
    refused: null,
    commit: earlier === null ? null : earlier.commit,
    changes: earlier === null ? null : earlier.changes,
    summary: progress.activity,
    secrets: earlier === null ? [] : earlier.secrets,
  };
}

function sum(usages: readonly (Usage | null)[]): Usage | null {
  return usages.reduce(
    (total, usage) =>
      total === null || usage === null
        ? null
        : {
            inputTokens: total.inputTokens + usage.inputTokens,
            outputTokens: total.outputTokens + usage.outputTokens,
            cacheWriteTokens: total.cacheWriteTokens + usage.cacheWriteTokens,
            cacheReadTokens: total.cacheReadTokens + usage.cacheReadTokens,
          },
    { inputTokens: 0, outputTokens: 0, cacheWriteTokens: 0, cacheReadTokens: 0 },
  );
}
