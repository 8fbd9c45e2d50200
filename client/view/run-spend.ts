import { noUse, nothingSpent, RECENT_ROUNDS, type Spent, type Use } from '../../schemas/budget/budget.ts';
import { median, sumUse } from '../../schemas/budget/spend.ts';
import type { LedgerLine } from '../../schemas/run/ledger.ts';
import { tokensUsed } from '../../schemas/round/tokens-used.ts';
import type { LoopState } from '../../schemas/loop/state.ts';
import { advance } from '../../workflows/decide/advance.ts';
import { uncountedEvents } from '../../workspaces/records/uncounted.ts';
import { recordOf } from './run-records.ts';
import type { RecordedRun } from './question.ts';
import type { TemporalRun } from './temporal-run.ts';
import type { Spend } from './run-view.ts';
import { type Amount, summed } from './round-view.ts';

type Recorded = Pick<RecordedRun, 'ending' | 'attempts' | 'rolledBack'>;

/**
 * What a run used of its budgets, as far as it is known. Rounds that were rolled back were used all the same.
 * @param live the run as Temporal has it, while it is live; null: it has ended
 */
export async function spendOf(recorded: RecordedRun | null, live: TemporalRun | null): Promise<Spend> {
  const counted = recorded === null ? null : await countedIn(recorded, live);
  if (counted !== null) return amounts(counted.spent, counted.rounds);
  if (live !== null && live.memo !== null) {
    const { memo, progress, check } = live;
    const counters = progress?.counters ?? check?.counters ?? null;
    const rounds = recorded === null ? Math.max(0, memo.round - 1) : roundsEnded(recorded);
    return amounts(memo.spent, counters === null ? rounds : counters.rounds);
  }
  if (recorded === null) return { kind: 'unknown' };
  const { ending } = recorded;
  // Written by 0.1.0, which kept no state.
  const spent = ending === null || ending.spent === null ? ofLedger(recorded) : ending.spent;
  return amounts(spent, roundsEnded(recorded));
}

/**
 * What the loop has counted, and what ended on disk since: of a run that has ended, or stands still. Null: another place
 * knows better, or the run kept no state.
 */
async function countedIn(
  { files, records, request, ending }: RecordedRun,
  live: TemporalRun | null,
): Promise<Pick<LoopState, 'spent' | 'rounds'> | null> {
  if (ending !== null) return ending.state;
  if (request === null || (live !== null && live.memo?.status !== 'paused')) return null;
  const state = recordOf(await records.state());
  if (state === null) return null;
  // A damaged record: `show --round` says what is wrong with it.
  const events = await uncountedEvents(files.paths, state).catch(() => []);
  return events.reduce((before, event) => advance(request, before, event).state, state);
}

/** What runs used, all together. */
export function sumSpend(all: readonly Spend[]): Spend {
  return all.reduce((a: Spend, b: Spend): Spend => {
    if (a.kind === 'unknown' || b.kind === 'unknown') return { kind: 'unknown' };
    return {
      kind: 'known',
      rounds: a.rounds + b.rounds,
      timeMs: sumAmount(a.timeMs, b.timeMs),
      tokens: sumAmount(a.tokens, b.tokens),
      costUsd: sumAmount(a.costUsd, b.costUsd),
      waitMs: a.waitMs + b.waitMs,
      cacheReadTokens: a.cacheReadTokens + b.cacheReadTokens,
    };
  });
}

function sumAmount(a: Amount, b: Amount): Amount {
  if (a.kind === 'unknown' || b.kind === 'unknown') return { kind: 'unknown' };
  return {
    kind: 'known',
    amount: a.amount + b.amount,
    estimated: a.estimated || b.estimated,
    unreported: a.unreported + b.unreported,
  };
}

function amounts(spent: Spent, rounds: number): Spend {
  const { timeMs, tokens, costUsd, waitMs, cacheReadTokens, estimates, unreported } = spent;
  // Nothing has worked yet, or nobody counted it: what programs report is then unknown.
  const reported = (amount: number, of: { estimated: boolean; unreported: number }): Amount =>
    amount === 0 && timeMs === 0 ? { kind: 'unknown' } : summed({ amount, ...of });
  return {
    kind: 'known',
    rounds,
    timeMs: { kind: 'known', amount: timeMs, estimated: estimates.timeMs, unreported: 0 },
    tokens: reported(tokens, { estimated: estimates.tokens, unreported: unreported.tokens }),
    costUsd: reported(costUsd, { estimated: estimates.costUsd, unreported: unreported.costUsd }),
    waitMs,
    cacheReadTokens,
  };
}

/** What the ledger tells of what a run used. */
function ofLedger({ attempts, rolledBack }: Recorded): Spent {
  const lines = [...attempts, ...rolledBack];
  const recent = byRound(lines).slice(-RECENT_ROUNDS);
  const likely = median(recent);
  const used = lines.map((line) => useOf(line, likely)).reduce((total, use) => sumUse(total, use), noUse);
  const silent = {
    tokens: lines.filter(({ usage }) => usage === null).length,
    costUsd: lines.filter(({ costUsd }) => costUsd === null).length,
  };
  const estimates = {
    timeMs: false,
    tokens: silent.tokens > 0 && likely.tokens > 0,
    costUsd: (silent.costUsd > 0 && likely.costUsd > 0) || lines.some(({ costEstimated }) => costEstimated),
  };
  return {
    ...nothingSpent,
    ...used,
    recent,
    estimates,
    unreported: { tokens: estimates.tokens ? 0 : silent.tokens, costUsd: likely.costUsd > 0 ? 0 : silent.costUsd },
  };
}

function byRound(lines: readonly LedgerLine[]): Use[] {
  const rounds = new Map<number, Use>();
  for (const line of lines) rounds.set(line.round, sumUse(rounds.get(line.round) ?? noUse, useOf(line, noUse)));
  return [...rounds.values()];
}

/** Timestamps are a worker's: clocks can be set back. @param likely for what the attempt did not report */
function useOf({ startedAt, endedAt, usage, costUsd }: LedgerLine, likely: Use): Use {
  return {
    timeMs: Math.max(0, Date.parse(endedAt) - Date.parse(startedAt)),
    tokens: tokensUsed(usage) ?? likely.tokens,
    costUsd: costUsd ?? likely.costUsd,
  };
}

/** Rounds that a run brought to their end; one that is under way, was interrupted, or failed, is not used up. */
function roundsEnded({ ending, attempts, rolledBack }: Recorded): number {
  const lines = [...attempts, ...rolledBack];
  const last = Math.max(0, ...lines.map(({ round }) => round));
  const isEnded = lines.some(({ round, outcome }) => round === last && REPORTS.includes(outcome));
  const recorded = ending !== null && 'rounds' in ending.ending ? ending.ending.rounds : 0;
  return Math.max(recorded, isEnded || last === 0 ? last : last - 1);
}

const REPORTS: readonly string[] = ['continue', 'complete', 'blocked'];
