import type { Usage } from '../../schemas/round/usage.ts';
import type { Amount } from '../view/round-view.ts';

/**
 * What an attempt, a review or a run of the gates was for. `kept`: an attempt that ended with a report that counts.
 * `rejected`: one whose completion claim was rejected. `failed`: one that a fault ended. `interrupted`: one that was
 * ended from outside, or lost with its worker. `rolled-back`: one that counts no more, however it ended.
 */
export const PURPOSES = ['kept', 'rejected', 'failed', 'interrupted', 'rolled-back', 'reviews', 'gates'] as const;
export type Purpose = (typeof PURPOSES)[number];

/** What some attempts, reviews and runs of gates used. In an amount, `unreported` counts those that are not in it. */
export interface Sums {
  readonly count: number;
  readonly timeMs: Amount;
  /** Input, output and cache writes. */
  readonly tokens: Amount;
  readonly costUsd: Amount;
  /** By kind of token, of those that reported any; null: none did. */
  readonly usage: Usage | null;
  /** Which part of all that models read came from a cache, from 0 to 1; null: not known. */
  readonly cacheShare: number | null;
  /** Of the checkpoints of attempts. */
  readonly lines: { readonly insertions: number; readonly deletions: number };
}

/** `agent`: null: not known, as its worker was lost. `model`: null: not known, or the program's own choice. */
interface AgentSums extends Sums {
  readonly agent: string | null;
  readonly model: string | null;
}

/** `day`: of this machine's time zone, "2026-11-30"; null: not known. */
interface DaySums extends Sums {
  readonly day: string | null;
}

interface PurposeSums extends Sums {
  readonly purpose: Purpose;
}

/** Lines per dollar, of the attempts that reported a cost: how many of how many. */
export type LinesPerUsd =
  | { readonly kind: 'known'; readonly amount: number; readonly attempts: number; readonly of: number }
  | { readonly kind: 'unknown' };

/** What runs used, and for what. */
export interface StatsView {
  /** From when on; null: from the beginning. */
  readonly since: string | null;
  /** Those with anything in that time. */
  readonly runs: number;
  readonly rounds: number;
  readonly total: Sums;
  /** By agent and model, the dearest first. Gates have none. */
  readonly agents: readonly AgentSums[];
  /** In order. */
  readonly days: readonly DaySums[];
  /** In the order of `PURPOSES`, those that there were. */
  readonly purposes: readonly PurposeSums[];
  /** Durable waits: for limits of agents, after faults. `unreported`: runs of which it is not known. */
  readonly waitMs: Amount;
  readonly linesPerUsd: LinesPerUsd;
  /** What an attempt took beside its agent. `medianMs`: null: not known. */
  readonly overhead: { readonly medianMs: number | null; readonly totalMs: Amount };
  /** What could not be read, so that it is in no sum. */
  readonly unread: readonly { readonly runId: string; readonly problem: string }[];
}
