import { durationText as duration } from '../../schemas/text/duration-text.ts';
import { tokensUsed } from '../../schemas/round/tokens-used.ts';
import type { Usage } from '../../schemas/round/usage.ts';
import type { Amount } from '../view/round-view.ts';

export { durationText as duration } from '../../schemas/text/duration-text.ts';
export { several } from '../../schemas/text/several.ts';

export const UNKNOWN = 'unknown';

/** A time that still goes on, in whole seconds: "0s", "12s", "2m 3s". */
export function elapsed(ms: number): string {
  const seconds = Math.floor(Math.max(ms, 0) / 1_000);
  return seconds < 60 ? `${seconds}s` : duration(seconds * 1_000);
}

/** How long ago: "just now", "12s ago", "5m ago", "3h ago", "12d ago". */
export function age(since: string, now: number): string {
  const seconds = Math.floor((now - Date.parse(since)) / 1_000);
  if (seconds < 2) return 'just now';
  if (seconds < 60) return `${seconds}s ago`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}m ago`;
  if (minutes < 1_440) return `${Math.floor(minutes / 60)}h ago`;
  return `${Math.floor(minutes / 1_440)}d ago`;
}

/** A time of this machine's clock to the second: "2026-01-05 09:00:07", or "09:00:07" where `now` is that same day. */
export function clock(at: string, now: number | null): string {
  // Swedish is how Intl spells an ISO date.
  const whole = new Date(at).toLocaleString('sv-SE');
  const today = now === null ? '' : new Date(now).toLocaleString('sv-SE').slice(0, 10);
  return whole.startsWith(`${today} `) ? whole.slice(today.length + 1) : whole;
}

/** "950", "14.2k", "1.3M". */
export function count(amount: number): string {
  if (amount < 1_000) return String(amount);
  if (amount < 999_950) return `${(amount / 1_000).toFixed(1)}k`;
  return `${(amount / 1_000_000).toFixed(1)}M`;
}

/** Input and output tokens, cache writes among them; what was read from a cache is not counted. */
export function tokens(usage: Usage | null): string {
  const used = tokensUsed(usage);
  return used === null ? UNKNOWN : count(used);
}

export function cost(usd: number | null): string {
  if (usd === null) return UNKNOWN;
  return usd > 0 && usd < 0.01 ? `$${usd.toFixed(4)}` : `$${usd.toFixed(2)}`;
}

/** A branch by its short name, any other ref in full. */
export function refName(ref: string): string {
  return ref.replace(/^refs\/heads\//, '');
}

export function shortCommit(commit: string | null): string {
  return commit === null ? UNKNOWN : commit.slice(0, 7);
}

/** An amount with its mark: "≈" if a part is an estimate, "at least" if some attempts reported none. */
export function amountText(amount: Amount, text: (amount: number) => string): string {
  if (amount.kind === 'unknown') return UNKNOWN;
  return `${amount.unreported > 0 ? 'at least ' : ''}${amount.estimated ? '≈' : ''}${text(amount.amount)}`;
}

/** The cost of one attempt or review. */
export const costText = ({ costUsd, costEstimated }: { costUsd: number | null; costEstimated: boolean }): string =>
  amountText(
    costUsd === null
      ? { kind: 'unknown' }
      : { kind: 'known', amount: costUsd, estimated: costEstimated, unreported: 0 },
    cost,
  );
