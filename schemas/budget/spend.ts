import { type Estimates, noUse, RECENT_ROUNDS, type Spent, type Use } from './budget.ts';
import type { GateCheck } from '../verification/gate.ts';
import type { LostGates, LostReview } from '../verification/lost-checks.ts';
import type { FinishedReview } from '../verification/review.ts';
import type { FaultCode } from '../round/fault.ts';
import type { FailedAttempt, FinishedAttempt, LostAttempt } from '../round/round.ts';
import { tokensUsed } from '../round/tokens-used.ts';

type AgentWork = FinishedAttempt | FinishedReview;

/** Faults of a model that did not answer: what came before may be nothing, or an hour's work. */
const UNANSWERED: ReadonlySet<FaultCode> = new Set([
  'model-overloaded',
  'network',
  'rate-limited',
  'usage-limited',
  'bad-credentials',
  'no-credit',
]);

/**
 * Add what an attempt or a review used, from its beginning to its checkpoint. One that failed before it told is likely to
 * have used what the last rounds did; one whose model did not answer, as much of that as it had time for.
 */
export function chargeAgent(spent: Spent, work: AgentWork): Spent {
  const started = work.agentMs !== 0;
  const likely = started && work.kind === 'failed' ? likelyUse(work, median(spent.recent)) : noUse;
  const tokens = likelier(tokensUsed(work.usage), likely.tokens);
  const costUsd = likelier(work.costUsd, likely.costUsd);
  const added = add(spent, { timeMs: msOf(work), tokens: tokens.used, costUsd: costUsd.used });
  return {
    ...added,
    cacheReadTokens: added.cacheReadTokens + (work.usage === null ? 0 : work.usage.cacheReadTokens),
    estimates: eitherEstimated(added.estimates, {
      timeMs: false,
      tokens: tokens.estimated,
      costUsd: work.costEstimated || costUsd.estimated,
    }),
    unreported: {
      tokens: added.unreported.tokens + (started && tokens.unreported ? 1 : 0),
      costUsd: added.unreported.costUsd + (started && costUsd.unreported ? 1 : 0),
    },
  };
}

function likelyUse({ fault, agentMs }: Pick<FailedAttempt, 'fault' | 'agentMs'>, typical: Use): Use {
  if (!UNANSWERED.has(fault.code) || agentMs === null || agentMs >= typical.timeMs) return typical;
  const part = agentMs / typical.timeMs;
  return { timeMs: typical.timeMs * part, tokens: typical.tokens * part, costUsd: typical.costUsd * part };
}

/** What was told; else what is likely, if anything is known of that. */
function likelier(reported: number | null, likely: number): { used: number; estimated: boolean; unreported: boolean } {
  return {
    used: reported === null ? likely : reported,
    estimated: reported === null && likely > 0,
    unreported: reported === null && likely === 0,
  };
}

/** Add what a run of the gates used. */
export const chargeGates = (spent: Spent, check: GateCheck): Spent => add(spent, { ...noUse, timeMs: msOf(check) });

/** Add what a run of the gates used that was ended from outside. */
export const chargeLostGates = (spent: Spent, { ms }: LostGates): Spent => add(spent, { ...noUse, timeMs: ms });

/**
 * Add what an attempt or a review used that was ended from outside: what it reported, and for what it did not the median of the last
 * rounds, which is a guess.
 */
export function chargeLost(spent: Spent, lost: LostAttempt | LostReview): Spent {
  const { agentMs, usage } = lost;
  if (agentMs === 0) return spent;
  const typical = median(spent.recent);
  const tokens = likelier(tokensUsed(usage), typical.tokens);
  const costUsd = likelier(lost.costUsd, typical.costUsd);
  const timeMs = agentMs === null ? typical.timeMs : agentMs;
  const added = add(spent, { timeMs, tokens: tokens.used, costUsd: costUsd.used });
  return {
    ...added,
    cacheReadTokens: added.cacheReadTokens + (usage === null ? 0 : usage.cacheReadTokens),
    estimates: eitherEstimated(added.estimates, {
      timeMs: agentMs === null,
      tokens: tokens.estimated,
      costUsd: lost.costEstimated || costUsd.estimated,
    }),
    unreported: {
      tokens: added.unreported.tokens + (tokens.unreported ? 1 : 0),
      costUsd: added.unreported.costUsd + (costUsd.unreported ? 1 : 0),
    },
  };
}

/** Which sums hold an estimate if either part does. */
const eitherEstimated = (a: Estimates, b: Estimates): Estimates => ({
  timeMs: a.timeMs || b.timeMs,
  tokens: a.tokens || b.tokens,
  costUsd: a.costUsd || b.costUsd,
});

/** What two runs used together. The next round is expected to use what the last rounds of the first did. */
export const addSpent = (a: Spent, b: Spent): Spent => ({
  ...a,
  ...sumUse(a, b),
  waitMs: a.waitMs + b.waitMs,
  cacheReadTokens: a.cacheReadTokens + b.cacheReadTokens,
  estimates: eitherEstimated(a.estimates, b.estimates),
  unreported: {
    tokens: a.unreported.tokens + b.unreported.tokens,
    costUsd: a.unreported.costUsd + b.unreported.costUsd,
  },
});

/** A round has ended: what it used tells what the next one will. */
export const endRound = (spent: Spent): Spent => ({
  ...spent,
  round: noUse,
  recent: [...spent.recent, spent.round].slice(-RECENT_ROUNDS),
});

export const chargeWait = (spent: Spent, ms: number): Spent => ({ ...spent, waitMs: spent.waitMs + ms });

function add(spent: Spent, use: Use): Spent {
  return { ...spent, ...sumUse(spent, use), round: sumUse(spent.round, use) };
}

export function sumUse(a: Use, b: Use): Use {
  return { timeMs: a.timeMs + b.timeMs, tokens: a.tokens + b.tokens, costUsd: a.costUsd + b.costUsd };
}

/** What a round typically used; nothing where there was none. */
export function median(uses: readonly Use[]): Use {
  return {
    timeMs: middle(uses.map(({ timeMs }) => timeMs)),
    tokens: middle(uses.map(({ tokens }) => tokens)),
    costUsd: middle(uses.map(({ costUsd }) => costUsd)),
  };
}

function middle(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

/** Timestamps are a worker's: clocks can be set back. */
function msOf({ startedAt, endedAt }: { startedAt: string; endedAt: string }): number {
  return Math.max(0, Date.parse(endedAt) - Date.parse(startedAt));
}
