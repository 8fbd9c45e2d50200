import { tokensUsed } from '../../schemas/round/tokens-used.ts';
import { type Usage } from '../../schemas/round/usage.ts';
import { summed, type Amount } from '../view/round-view.ts';
import type { Piece } from './piece.ts';
import type { Sums } from './stats-view.ts';

/** What some pieces used, all together. */
export function sumsOf(pieces: readonly Piece[]): Sums {
  const usage = usageOf(pieces);
  return {
    count: pieces.length,
    timeMs: amountOf(pieces.map(({ timeMs }) => timeMs)),
    tokens: amountOf(pieces.map((piece) => tokensUsed(piece.usage))),
    costUsd: amountOf(
      pieces.map(({ costUsd }) => costUsd),
      pieces.some(({ costUsd, costEstimated }) => costUsd !== null && costEstimated),
    ),
    usage,
    cacheShare: usage === null ? null : cacheShareOf(usage),
    lines: {
      insertions: total(pieces.map(({ changes }) => changes?.insertions ?? 0)),
      deletions: total(pieces.map(({ changes }) => changes?.deletions ?? 0)),
    },
  };
}

/** A sum of what is known of some amounts. Unknown if nothing but zeros is known beside an unknown one. */
export function amountOf(amounts: readonly (number | null)[], estimated = false): Amount {
  const known = amounts.filter((amount) => amount !== null);
  return summed({ amount: total(known), estimated, unreported: amounts.length - known.length });
}

const total = (amounts: readonly number[]): number => amounts.reduce((sum, amount) => sum + amount, 0);

function usageOf(pieces: readonly Piece[]): Usage | null {
  const reported = pieces.flatMap(({ by, usage }) => (by === null || usage === null ? [] : [usage]));
  if (reported.length === 0) return null;
  return {
    inputTokens: total(reported.map(({ inputTokens }) => inputTokens)),
    outputTokens: total(reported.map(({ outputTokens }) => outputTokens)),
    cacheWriteTokens: total(reported.map(({ cacheWriteTokens }) => cacheWriteTokens)),
    cacheReadTokens: total(reported.map(({ cacheReadTokens }) => cacheReadTokens)),
  };
}

/** Null: nothing was read. */
function cacheShareOf({ inputTokens, cacheWriteTokens, cacheReadTokens }: Usage): number | null {
  const read = inputTokens + cacheWriteTokens + cacheReadTokens;
  return read === 0 ? null : cacheReadTokens / read;
}
