import type { GateCheck } from '../../schemas/verification/gate.ts';
import type { Interruption } from '../../schemas/round/fault.ts';
import type { ReviewRecord } from '../../schemas/verification/review.ts';
import type { AttemptOutcome, Changes } from '../../schemas/round/round.ts';
import type { RoundProgress } from '../../schemas/round/round-progress.ts';
import type { Usage } from '../../schemas/round/usage.ts';

// What is known of one round: its row in a table, its attempts, and what checked its completion claim.

/** An amount that programs report. `unreported`: how many attempts and reviews reported none, so that it is a least. */
export type Amount =
  | { readonly kind: 'known'; readonly amount: number; readonly estimated: boolean; readonly unreported: number }
  | { readonly kind: 'unknown' };

/** A sum of what was reported, or is likely. Where nothing was reported nothing is known: never 0. */
export const summed = (sum: Omit<Extract<Amount, { kind: 'known' }>, 'kind'>): Amount =>
  sum.amount === 0 && sum.unreported > 0 ? { kind: 'unknown' } : { kind: 'known', ...sum };

/** What became of a claim of completion. */
export type Verdict =
  | { readonly kind: 'pending' }
  | { readonly kind: 'accepted' }
  | { readonly kind: 'rejected'; readonly reasons: readonly string[] };

/** How a round, or an attempt at one, ended. */
export type RoundOutcome =
  | { readonly kind: 'continue' }
  | { readonly kind: 'blocked' }
  | { readonly kind: 'complete'; readonly verdict: Verdict }
  | { readonly kind: 'fault'; readonly code: string }
  | { readonly kind: 'interrupted'; readonly by: Interruption };

/** An attempt in short. */
interface Try {
  readonly attempt: number;
  readonly outcome: RoundOutcome;
  readonly startedAt: string;
  readonly endedAt: string;
}

interface RoundBase {
  readonly round: number;
  readonly attempts: number;
  /** Those that have ended, in order. */
  readonly tries: readonly Try[];
  /** How many of them were ended from outside. */
  readonly interrupted: number;
  readonly startedAt: string;
  /** Agents other than the run's own that made attempts: its fallback agent. */
  readonly agents: readonly string[];
  /** Its last checkpoint; null: none yet, or none could be made. */
  readonly commit: string | null;
  readonly changes: Changes | null;
  /** Names of the known secrets that its commits hold. */
  readonly secrets: readonly string[];
}

interface RunningRound extends RoundBase {
  readonly kind: 'running';
  /** The agent's last activity, in one line; null: none yet. */
  readonly doing: string | null;
}

/** Amounts are sums over its attempts. */
export interface EndedRound extends RoundBase {
  readonly kind: 'ended';
  readonly outcome: RoundOutcome;
  readonly endedAt: string;
  readonly durationMs: number;
  /** By kind of token; null: an attempt reported none. */
  readonly usage: Usage | null;
  readonly tokens: Amount;
  readonly costUsd: Amount;
  /** First line of the report's summary, or of the fault. */
  readonly summary: string;
}

/** A round of a run. */
export type RoundRow = RunningRound | EndedRound;

/** A gate as it ended. `excused`: it fails as it did before round 1, which the run allows. */
export interface GateLine {
  readonly command: string;
  readonly result: 'passed' | 'failed' | 'excused';
  /** Null: a signal ended it. */
  readonly exitCode: number | null;
  readonly timedOut: boolean;
  readonly ms: number;
  /** Paths that it changed and may not. With any it failed, whatever its exit code. */
  readonly changed: readonly string[];
  /** Of one that failed: the line of its output that tells most; null: nothing. */
  readonly said: string | null;
}

/** What came of a run of the gates, or of a review. */
export type CheckOutcome =
  /** The gates before round 1. */
  | { readonly kind: 'baseline'; readonly gates: readonly GateLine[] }
  | { readonly kind: 'accepted'; readonly gates: readonly GateLine[] }
  | { readonly kind: 'rejected'; readonly reasons: readonly string[]; readonly gates: readonly GateLine[] }
  /** It could not be done, for a fault. */
  | { readonly kind: 'failed'; readonly reason: string }
  /** A pause, a cancel or the loss of its worker ended it. */
  | { readonly kind: 'interrupted' }
  | { readonly kind: 'under-way' };

/** A run of the gates, or a review, in short. */
export interface CheckRow {
  readonly check: 'gates' | 'review';
  /** The round whose claim is checked; 0: before the first. */
  readonly round: number;
  /** Whose claim is checked, where a run before made it; null: this run. */
  readonly claimOf: { readonly runId: string; readonly round: number } | null;
  /** Counts the runs of the gates, or the reviews, of a round. */
  readonly number: number;
  readonly outcome: CheckOutcome;
  /** Null: not known. */
  readonly took: { readonly startedAt: string; readonly endedAt: string } | null;
}

/** A record on disk. `missing`: there is none (yet). */
export type RecordView<T> =
  | { readonly kind: 'there'; readonly record: T }
  | { readonly kind: 'missing' }
  | { readonly kind: 'damaged'; readonly problem: string };

/** Names of files to absolute paths, those that exist. */
type Files = Readonly<Record<string, string>>;

/** One attempt at a round. */
export interface AttemptView {
  readonly attempt: number;
  readonly outcome: { readonly kind: 'running'; readonly progress: RoundProgress } | RecordView<AttemptOutcome>;
  /** Null: its files are not on this machine. */
  readonly kept: { readonly folder: string; readonly files: Files } | null;
}

/** A check with its record and its files. */
export interface CheckView extends CheckRow {
  readonly record: RecordView<GateCheck | ReviewRecord>;
  readonly kept: { readonly folder: string; readonly files: Files };
}

/** A whole round. Round 0: the setup, and what was checked before round 1. */
export interface RoundView {
  readonly runId: string;
  readonly round: number;
  readonly row: RoundRow | null;
  readonly attempts: readonly AttemptView[];
  readonly checks: readonly CheckView[];
}

/** Whether a round ended with a report: else it is attempted again when the run goes on. */
export const isReported = (row: RoundRow): boolean =>
  row.kind === 'ended' &&
  (row.outcome.kind === 'continue' || row.outcome.kind === 'blocked' || row.outcome.kind === 'complete');

/** The gates of a check; none where it came to none. */
export const gatesOf = ({ outcome }: Pick<CheckRow, 'outcome'>): readonly GateLine[] =>
  outcome.kind === 'baseline' || outcome.kind === 'accepted' || outcome.kind === 'rejected' ? outcome.gates : [];
