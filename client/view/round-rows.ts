import { RECENT_ROUNDS } from '../../schemas/budget/budget.ts';
import { median } from '../../schemas/budget/spend.ts';
import type { LedgerLine } from '../../schemas/run/ledger.ts';
import { Interruption } from '../../schemas/round/fault.ts';
import { outcomeInWords } from '../../schemas/round/outcome-in-words.ts';
import type { AttemptOutcome, Changes } from '../../schemas/round/round.ts';
import type { RoundProgress } from '../../schemas/round/round-progress.ts';
import { tokensUsed } from '../../schemas/round/tokens-used.ts';
import type { Usage } from '../../schemas/round/usage.ts';
import { type Amount, type EndedRound, type RoundOutcome, type RoundRow, summed, type Verdict } from './round-view.ts';

/** An attempt as the ledger tells it, or as Temporal's history does. */
export type AttemptLine = Omit<LedgerLine, 'path' | 'status' | 'agentMs'>;

/**
 * The table of a run's rounds, from its ended attempts in any order and the attempt under way.
 * @param verdictOn what became of the completion claim of a round
 */
export function roundRows(
  lines: readonly AttemptLine[],
  { progress, verdictOn }: { progress: RoundProgress | null; verdictOn: (round: number) => Verdict },
): RoundRow[] {
  const byRound = new Map<number, AttemptLine[]>();
  for (const line of lines) byRound.set(line.round, [...(byRound.get(line.round) ?? []), line]);
  const ended: EndedRound[] = [];
  for (const [round, attempts] of [...byRound].toSorted(([a], [b]) => a - b)) {
    ended.push(endedRow(attempts, { before: ended, verdict: verdictOn(round) }));
  }
  if (progress === null) return ended;
  const earlier = ended.find(({ round }) => round === progress.round);
  // A heartbeat can be older than the attempt's end in the ledger: what has ended stays ended.
  if (earlier !== undefined && earlier.attempts >= progress.attempt) return ended;
  const others = ended.filter((row) => row !== earlier);
  return [...others, runningRow(progress, earlier ?? null)].toSorted((a, b) => a.round - b.round);
}

function endedRow(
  unsorted: readonly AttemptLine[],
  { before, verdict }: { before: readonly EndedRound[]; verdict: Verdict },
): EndedRound {
  const attempts = unsorted.toSorted((a, b) => a.attempt - b.attempt);
  const [first] = attempts;
  const last = attempts.at(-1);
  if (first === undefined || last === undefined) throw new Error('a round has no attempt');
  return {
    kind: 'ended',
    round: last.round,
    attempts: last.attempt,
    tries: attempts.map(({ attempt, outcome, startedAt, endedAt }) => ({
      attempt,
      outcome: outcomeOf(outcome, verdict),
      startedAt,
      endedAt,
    })),
    interrupted: attempts.filter(({ outcome }) => isInterruption(outcome)).length,
    outcome: outcomeOf(last.outcome, verdict),
    startedAt: first.startedAt,
    endedAt: last.endedAt,
    durationMs: Date.parse(last.endedAt) - Date.parse(first.startedAt),
    usage: sumUsage(attempts.map(({ usage }) => usage)),
    tokens: amountOf(
      attempts.map(({ outcome, usage }) => ({ outcome, reported: tokensUsed(usage), estimated: false })),
      typical(before).tokens,
    ),
    costUsd: amountOf(
      attempts.map(({ outcome, costUsd, costEstimated }) => ({ outcome, reported: costUsd, estimated: costEstimated })),
      typical(before).costUsd,
    ),
    agents: [...new Set(attempts.flatMap(({ agent }) => agent ?? []))],
    commit: attempts.findLast(({ commit }) => commit !== null)?.commit ?? null,
    changes: attempts.reduce<Changes | null>((total, { changes }) => sumChanges(total, changes), null),
    summary: last.summary,
    secrets: [...new Set(attempts.flatMap(({ secrets }) => secrets))],
  };
}

function runningRow(progress: RoundProgress, earlier: EndedRound | null): RoundRow {
  return {
    kind: 'running',
    round: progress.round,
    attempts: progress.attempt,
    tries: earlier === null ? [] : earlier.tries,
    interrupted: earlier === null ? 0 : earlier.interrupted,
    startedAt: earlier === null ? progress.startedAt : earlier.startedAt,
    doing: progress.activity,
    agents: earlier === null ? [] : earlier.agents,
    commit: earlier === null ? null : earlier.commit,
    changes: earlier === null ? null : earlier.changes,
    secrets: earlier === null ? [] : earlier.secrets,
  };
}

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

const isInterruption = (outcome: string): outcome is Interruption =>
  Interruption.options.some((option) => option === outcome);

/** How an attempt ended, by the word that the ledger has for it. */
export function outcomeOf(word: string, verdict: Verdict): RoundOutcome {
  if (word === 'continue' || word === 'blocked') return { kind: word };
  if (word === 'complete') return { kind: word, verdict };
  return isInterruption(word) ? { kind: 'interrupted', by: word } : { kind: 'fault', code: word };
}

/** What the rounds before this one used, as the sums count an attempt that was ended before it reported. */
const typical = (before: readonly EndedRound[]) =>
  median(
    before.slice(-RECENT_ROUNDS).map(({ tokens, costUsd }) => ({
      timeMs: 0,
      tokens: tokens.kind === 'known' ? tokens.amount : 0,
      costUsd: costUsd.kind === 'known' ? costUsd.amount : 0,
    })),
  );

/** What a round used: as reported, and for attempts that gave no report and no figures what is likely. */
function amountOf(
  attempts: readonly { readonly outcome: string; readonly reported: number | null; readonly estimated: boolean }[],
  likely: number,
): Amount {
  const silent = attempts.filter(({ reported }) => reported === null);
  const guessed = likely === 0 ? [] : silent.filter(({ outcome }) => !isReport(outcome));
  return summed({
    amount: attempts.reduce((total, { reported }) => total + (reported ?? 0), guessed.length * likely),
    estimated: guessed.length > 0 || attempts.some(({ estimated }) => estimated),
    unreported: silent.length - guessed.length,
  });
}

const isReport = (outcome: string): boolean => ['continue', 'complete', 'blocked'].includes(outcome);

function sumUsage(usages: readonly (Usage | null)[]): Usage | null {
  const none: Usage = { inputTokens: 0, outputTokens: 0, cacheWriteTokens: 0, cacheReadTokens: 0 };
  return usages.reduce<Usage | null>(
    (total, usage) =>
      total === null || usage === null
        ? null
        : {
            inputTokens: total.inputTokens + usage.inputTokens,
            outputTokens: total.outputTokens + usage.outputTokens,
            cacheWriteTokens: total.cacheWriteTokens + usage.cacheWriteTokens,
            cacheReadTokens: total.cacheReadTokens + usage.cacheReadTokens,
          },
    none,
  );
}

function sumChanges(total: Changes | null, changes: Changes | null): Changes | null {
  if (total === null || changes === null) return total ?? changes;
  return {
    files: total.files + changes.files,
    insertions: total.insertions + changes.insertions,
    deletions: total.deletions + changes.deletions,
  };
}
