import { noUse, nothingSpent, RECENT_ROUNDS, type Spent, type Use } from '../schemas/budget.ts';
import type { LedgerLine } from '../schemas/ledger.ts';
import { tokensUsed } from '../schemas/usage.ts';
import { chargeLost } from '../workflows/spend.ts';
import type { DiskRun } from './disk-run.ts';

type Ended = Pick<DiskRun, 'ending' | 'attempts' | 'rolledBack'>;

/**
 * What a run that has ended used of its budgets; rolled back rounds were used, too. The loop does not know of the attempt
 * that a cancel ended, and nobody wrote anything down for a run that was terminated: those are told by the ledger.
 */
export function spentBy({ ending, attempts, rolledBack }: Ended): Spent {
  const lines = [...attempts, ...rolledBack];
  if (ending === null) return add(nothingSpent, lines);
  return add(
    ending.spent,
    lines.filter(({ outcome }) => outcome === 'cancelled'),
  );
}

function add(spent: Spent, lines: readonly LedgerLine[]): Spent {
  if (lines.length === 0) return spent;
  const typical = chargeLost({ ...nothingSpent, recent: spent.recent }, 1);
  const used = lines.map((line) => useOf(line, typical)).reduce((total, use) => sum(total, use), noUse);
  const recent = spent.recent.length > 0 ? spent.recent : byRound(lines).slice(-RECENT_ROUNDS);
  const estimated = spent.estimated || lines.some(({ usage, costUsd }) => usage === null || costUsd === null);
  return { ...spent, ...sum(spent, used), recent, estimated };
}

function byRound(lines: readonly LedgerLine[]): Use[] {
  const rounds = new Map<number, Use>();
  for (const line of lines) rounds.set(line.round, sum(rounds.get(line.round) ?? noUse, useOf(line, noUse)));
  return [...rounds.values()];
}

/** Timestamps are a worker's: clocks can be set back. @param typical for what the attempt did not tell */
function useOf({ startedAt, endedAt, usage, costUsd }: LedgerLine, typical: Use): Use {
  return {
    timeMs: Math.max(0, Date.parse(endedAt) - Date.parse(startedAt)),
    tokens: tokensUsed(usage) ?? typical.tokens,
    costUsd: costUsd ?? typical.costUsd,
  };
}

function sum(a: Use, b: Use): Use {
  return { timeMs: a.timeMs + b.timeMs, tokens: a.tokens + b.tokens, costUsd: a.costUsd + b.costUsd };
}

/** Rounds that a run which has ended brought to their end; one that was interrupted, or failed, is not used up. */
export function roundsUsed({ ending, attempts, rolledBack }: Ended): number {
  const lines = [...attempts, ...rolledBack];
  const last = Math.max(0, ...lines.map(({ round }) => round));
  const isEnded = lines.some(({ round, outcome }) => round === last && isReport(outcome));
  const told = ending === null ? 0 : 'rounds' in ending.ending ? ending.ending.rounds : 0;
  return Math.max(told, isEnded || last === 0 ? last : last - 1);
}

const isReport = (outcome: string): boolean => ['continue', 'complete', 'blocked'].includes(outcome);
