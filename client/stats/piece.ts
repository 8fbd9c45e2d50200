import type { Changes } from '../../schemas/round/round.ts';
import type { Usage } from '../../schemas/round/usage.ts';
import type { Purpose } from './stats-view.ts';

/** One attempt, review or run of the gates, with what it used. Null: not known. */
export interface Piece {
  readonly runId: string;
  readonly round: number;
  readonly purpose: Purpose;
  readonly startedAt: string | null;
  /** Who did it; null: gates, which are no agent's. */
  readonly by: { readonly agent: string | null; readonly model: string | null } | null;
  readonly timeMs: number | null;
  readonly usage: Usage | null;
  readonly costUsd: number | null;
  readonly costEstimated: boolean;
  readonly changes: Changes | null;
  /** What an attempt took beside its agent; null: not known; undefined: it is no attempt. */
  readonly overheadMs: number | null | undefined;
}

/** What something used that no agent was started for. */
export const NO_USAGE: Usage = { inputTokens: 0, outputTokens: 0, cacheWriteTokens: 0, cacheReadTokens: 0 };
