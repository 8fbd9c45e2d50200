import type { Ceilings } from '../../schemas/budget/budget.ts';
import { BUDGETS } from '../start/budget-kinds.ts';
import type { Amount } from '../view/round-view.ts';
import type { RunView, Spend } from '../view/run-view.ts';
import { amountText, cost, count, duration, UNKNOWN } from './amounts.ts';

/** What a run used and may use, as far as it is known. */
export type Used = Pick<RunView, 'spend' | 'ceilings'>;
type KnownSpend = Extract<Spend, { kind: 'known' }>;

const tokenCount = (amount: number): string => count(Math.round(amount));
const USED = {
  time: ({ timeMs }: KnownSpend) => amountText(timeMs, duration),
  tokens: ({ tokens }: KnownSpend) => amountText(tokens, tokenCount),
  cost: ({ costUsd }: KnownSpend) => amountText(costUsd, cost),
  wait: ({ waitMs }: KnownSpend) => duration(waitMs),
} as const;
const NAMES = { time: 'Time', tokens: 'Tokens', cost: 'Cost', wait: 'Waited' } as const;

/** "12m of 8h", "unknown, no limit": what is used of each budget. */
export function budgetRows({ spend, ceilings }: Used): { name: string; text: string; isLimited: boolean }[] {
  return BUDGETS.map(({ budget, limit, text }) => {
    const most = ceilings === null ? null : ceilings.budgets[limit];
    const of = ceilings === null ? `, limit ${UNKNOWN}` : most === null ? ', no limit' : ` of ${text(most)}`;
    const used = spend.kind === 'unknown' ? UNKNOWN : USED[budget](spend);
    return { name: NAMES[budget], text: used + of, isLimited: most !== null };
  });
}

/** "4 of 256": the rounds that a run used, rolled back ones too. */
const roundsText = (spend: Spend, ceilings: Ceilings | null): string =>
  `${spend.kind === 'unknown' ? UNKNOWN : spend.rounds} of ${ceilings === null ? UNKNOWN : ceilings.maxRounds}`;

/** What was used, in one line: "12m of work, 1.2M tokens, cost $3.20". Null: not known. */
export function usedText(spend: Spend): string | null {
  if (spend.kind === 'unknown') return null;
  const { tokens } = spend;
  const reported = tokens.kind === 'unknown' ? `tokens ${UNKNOWN}` : `${USED.tokens(spend)} tokens`;
  const waited = spend.waitMs === 0 ? [] : [`${USED.wait(spend)} of waiting`];
  return [`${USED.time(spend)} of work`, reported, `cost ${USED.cost(spend)}`, ...waited].join(', ');
}

/** What a reader must know of the amounts. */
export function spendNotes(spend: Spend): string[] {
  if (spend.kind === 'unknown') return [];
  const { timeMs, tokens, costUsd, cacheReadTokens } = spend;
  const notes: string[] = [];
  if ([timeMs, tokens, costUsd].some((amount) => amount.kind === 'known' && amount.estimated)) {
    notes.push(
      '≈ marks an amount that is partly estimated: from the price table, or for an attempt that ended before it reported its usage.',
    );
  }
  const silent = [...unreported(tokens, 'token usage'), ...unreported(costUsd, 'cost')];
  if (silent.length > 0) notes.push(`${silent.join(' and ')}. They are not included in the totals.`);
  if (cacheReadTokens > 0) notes.push(`${count(cacheReadTokens)} more tokens were read from a cache.`);
  return notes;
}

function unreported(amount: Amount, what: string): string[] {
  if (amount.kind === 'unknown' || amount.unreported === 0) return [];
  return [`${amount.unreported} attempts or reviews reported no ${what}`];
}

/** The same in lines: rounds, each budget, and notes. `rolledBack`: rounds that no longer count. */
export function budgetLines(used: Used & { readonly rolledBack: number }): {
  rows: [string, string][];
  notes: string[];
} {
  const { spend, ceilings, rolledBack } = used;
  const back = rolledBack === 0 ? '' : ` (${rolledBack} of them rolled back; they still count as used)`;
  return {
    rows: [
      ['Rounds', roundsText(spend, ceilings) + back],
      ...budgetRows(used).map(({ name, text }): [string, string] => [name, text]),
    ],
    notes: spendNotes(spend),
  };
}
