import { noUse, nothingSpent, RECENT_ROUNDS, type Spent, type Use } from '../../schemas/budget/budget.ts';
import type { LedgerLine } from '../../schemas/run/ledger.ts';
import type { UnreleasedEnding } from '../../schemas/run/result.ts';
import { tokensUsed } from '../../schemas/round/usage.ts';
import { median, sumUse } from '../../schemas/budget/spend.ts';
import type { DiskRun } from './disk-run.ts';
import { isReport } from './is-report.ts';
import type { RunView } from './run-view.ts';

type Ended = Pick<DiskRun, 'ending' | 'attempts' | 'rolledBack'>;

/**
 * What a run that has ended used of its budgets; rolled back rounds were used, too. Nobody wrote anything down for a
 * run that was terminated: what that used is told by the ledger.
 */
export function spentBy({ ending, attempts, rolledBack }: Ended): Spent {
  return ending === null ? ofLedger([...attempts, ...rolledBack]) : ending.spent;
}

function ofLedger(lines: readonly LedgerLine[]): Spent {
  const recent = byRound(lines).slice(-RECENT_ROUNDS);
  const typical = median(recent);
  const used = lines.map((line) => useOf(line, typical)).reduce((total, use) => sumUse(total, use), noUse);
  const estimated = lines.some(({ usage, costUsd }) => usage === null || costUsd === null);
  return { ...nothingSpent, ...used, recent, estimated };
}

function byRound(lines: readonly LedgerLine[]): Use[] {
  const rounds = new Map<number, Use>();
  for (const line of lines) rounds.set(line.round, sumUse(rounds.get(line.round) ?? noUse, useOf(line, noUse)));
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

/** Rounds that a run which has ended brought to their end; one that was interrupted, or failed, is not used up. */
export function roundsUsed({ ending, attempts, rolledBack }: Ended): number {
  return roundsUsedUp(ending === null ? null : ending.ending, [...attempts, ...rolledBack]);
}

/** The same from how it ended and all its rounds, with the outcome of the last attempt at each. */
function roundsUsedUp(
  ending: UnreleasedEnding | null,
  lines: readonly Pick<LedgerLine, 'round' | 'outcome'>[],
): number {
  const last = Math.max(0, ...lines.map(({ round }) => round));
  const isEnded = lines.some(({ round, outcome }) => round === last && isReport(outcome));
  const told = ending !== null && 'rounds' in ending ? ending.rounds : 0;
  return Math.max(told, isEnded || last === 0 ? last : last - 1);
}

/** The same of a run as it is shown, also while it goes on: a round that is under way, or next, is not used up. */
export function roundsOf({ ending, rounds, rolledBack }: Pick<RunView, 'ending' | 'rounds' | 'rolledBack'>): number {
  const lines = [...rounds, ...rolledBack].map(({ round, status }) => ({ round, outcome: status }));
  return roundsUsedUp(ending, lines);
}
