import type { AgentSpec } from '../../schemas/run/agent.ts';
import type { Budgets, Spent } from '../../schemas/budget/budget.ts';
import type { Gate, GateCheck, GatePolicy } from '../../schemas/verification/gate.ts';
import type { LedgerLine } from '../../schemas/run/ledger.ts';
import type { RunStatus } from '../../schemas/loop/memo.ts';
import type { UnreleasedEnding } from '../../schemas/run/result.ts';
import type { ReviewRecord } from '../../schemas/verification/review.ts';
import type { Rollback } from '../../schemas/run/rollback.ts';
import type { AttemptOutcome, Changes } from '../../schemas/round/round.ts';
import type { RoundProgress } from '../../schemas/round/round-input.ts';
import type { RepositoryBase, RunRequest } from '../../schemas/run/run.ts';
import type { Receipt } from '../../schemas/round/receipt.ts';
import type { Steering } from '../../schemas/loop/steering.ts';
import type { Usage } from '../../schemas/round/usage.ts';

// What `--json` prints. Field names are stable; null means unknown, or not there yet.

/** `failed`: Temporal says Failed for a reason of ours. `unknown`: neither Temporal nor the disk can tell. */
export type ShownStatus = RunStatus | 'terminated' | 'failed' | 'unknown';

/** One run in a list. Times are ISO 8601. */
export interface RunSummary {
  readonly runId: string;
  readonly status: ShownStatus;
  /** First line of the objective. */
  readonly title: string | null;
  readonly repository: string | null;
  readonly agent: string | null;
  /** The round under way, or the last one; 0 before the first. */
  readonly round: number | null;
  readonly maxRounds: number | null;
  /** How many rounds a rollback made void. They count no more, and were used all the same. */
  readonly voidRounds: number;
  /** The run that it goes on from; null: it is the first of its line, or that is not known. */
  readonly predecessor: string | null;
  readonly startedAt: string | null;
  readonly endedAt: string | null;
  /** Where the user's repository shows the run's commits. */
  readonly ref: string | null;
  readonly commit: string | null;
  /** In one line: why it waits or ended. */
  readonly why: string | null;
  /** Until when it waits. */
  readonly until: string | null;
  /** What a person asked of a live run, as far as it has heard of it. */
  readonly steering: Steering | null;
}

/** One round in a run's table. Tokens, cost and duration are sums over its attempts, null where one is unknown. */
export interface RoundRow {
  readonly round: number;
  readonly attempts: number;
  /** How many of them were ended from outside, which costs none of those that a round is allowed. */
  readonly interrupted: number;
  /** The report's status, the fault's code, what interrupted it, or `running`. */
  readonly status: string;
  readonly startedAt: string;
  readonly endedAt: string | null;
  readonly durationMs: number | null;
  readonly usage: Usage | null;
  readonly costUsd: number | null;
  /** Whether a part of `costUsd` comes from the price table. */
  readonly costEstimated: boolean;
  /** About how many tokens, and dollars, with what the sums count for attempts that were ended before they told; null: all told. */
  readonly likelyTokens: number | null;
  readonly likelyCostUsd: number | null;
  /** Agents other than the run's own that made attempts: its fallback agent. */
  readonly agents: readonly string[];
  /** Why its claim of completion was refused; null: it made none, it stood, or it is not checked yet. */
  readonly refused: string | null;
  readonly commit: string | null;
  readonly changes: Changes | null;
  readonly summary: string | null;
  /** Names of the known secrets that its commits hold. */
  readonly secrets: readonly string[];
}

/** A whole run. */
export interface RunView extends RunSummary {
  readonly objective: string | null;
  readonly objectiveHash: string | null;
  readonly base: RepositoryBase | null;
  readonly agentSpec: AgentSpec | null;
  readonly sandbox: RunRequest['sandbox'] | null;
  readonly setup: string | null;
  readonly limits: RunRequest['limits'] | null;
  /** The budgets by now, where somebody raised them. */
  readonly budgets: Budgets | null;
  readonly spent: Spent | null;
  readonly gates: readonly Gate[] | null;
  readonly gatePolicy: GatePolicy | null;
  readonly reviewer: AgentSpec | null;
  readonly fallbackAgent: AgentSpec | null;
  readonly hostId: string | null;
  /** Short name of the branch that shows its commits, or would: the same for all runs of a line. */
  readonly branch: string | null;
  /** The rounds that count. */
  readonly rounds: readonly RoundRow[];
  /** Every run of the gates and every review, in order. */
  readonly checks: readonly CheckLine[];
  /** Rounds that a rollback made void. */
  readonly rolledBack: readonly RoundRow[];
  /** The rollback in force: the last one that was made whole. */
  readonly rollback: Rollback | null;
  readonly rollbacks: readonly Rollback[];
  readonly unfinishedRollback: Rollback | null;
  /** The runs of the line before this one, the first one first. */
  readonly earlier: readonly EarlierRun[];
  /** What they and this one used, all together; null: not known. */
  readonly lineUse: LineUse | null;
  /** The runs that go on from this one. */
  readonly successors: readonly string[];
  /** Where its line stands by now; null: no run goes on from it. */
  readonly lineEnd: LineEnd | null;
  /** The round under way, as its worker last said. */
  readonly progress: RoundProgress | null;
  /** The result, or the failure with the last good handoff. */
  readonly ending: UnreleasedEnding | null;
  /** What the last disposal proved, once the run has ended. */
  readonly receipt: Receipt | null;
  /** The run in Temporal; null where Temporal is not reachable or has forgotten it. */
  readonly temporal: TemporalView | null;
  /** The run's folder; null where it is not on this machine. */
  readonly folder: string | null;
  /** What a reader must know about where this comes from. */
  readonly notes: readonly string[];
}

/** A run of the line before the one that is shown. */
export interface EarlierRun {
  readonly runId: string;
  readonly status: ShownStatus;
  readonly rounds: readonly RoundRow[];
  readonly rolledBack: readonly RoundRow[];
}

/** The last run that goes on from another, or from one that does. */
export interface LineEnd {
  readonly runId: string;
  readonly status: ShownStatus;
}

/** What runs used of their budgets; `estimated`: a part is not what a program told. */
export interface LineUse {
  readonly rounds: number;
  readonly timeMs: number;
  readonly tokens: number;
  readonly costUsd: number;
  readonly waitMs: number;
  readonly estimated: boolean;
}

export interface TemporalView {
  readonly workflowId: string;
  readonly executionId: string;
  readonly namespace: string;
  readonly status: string;
  /** Temporal's own page of the run, where the server has one. */
  readonly page: string | null;
}

/** One attempt at a round. `outcome` is null while it runs, or where its record is lost. */
export interface AttemptView {
  readonly attempt: number;
  readonly outcome: AttemptOutcome | null;
  /** Why the record cannot be read; null where it can, or where there is none. */
  readonly problem: string | null;
  /** Absolute; null where the files are not on this machine. */
  readonly folder: string | null;
  /** Files there are: prompt, transcript, stderr, report, receipt. Absolute. */
  readonly files: Readonly<Record<string, string>>;
}

/** A gate as it ended. `result`: `excused`: it fails as it did before round 1, which the run allows. */
export interface GateLine {
  readonly command: string;
  readonly result: 'passed' | 'failed' | 'excused';
  readonly exitCode: number | null;
  readonly timedOut: boolean;
  readonly ms: number;
  /** Paths that it changed and may not. With any it failed, whatever its exit code. */
  readonly changed: readonly string[];
  /** Of one that failed: the line of its output that tells most, the last one as a rule. */
  readonly said: string | null;
}

/**
 * A run of the gates, or a review, in short. `round` 0: the gates before round 1, whose result is `baseline`, or, with
 * `claimOf`, what checks there the claim of the run before.
 * `failed`: it could not be done, for a fault. `interrupted`: a pause, a cancel or the loss of its worker ended it.
 */
export interface CheckLine {
  readonly kind: 'gates' | 'review';
  readonly round: number;
  /** Whose claim is checked, where it is not this run's own; null: this run's round. */
  readonly claimOf: { readonly runId: string; readonly round: number } | null;
  /** Counts the runs of the gates, or the reviews, of a round. */
  readonly number: number;
  readonly result: 'baseline' | 'passed' | 'accepted' | 'refused' | 'failed' | 'interrupted' | 'under-way';
  /** Why it was refused or failed. */
  readonly reasons: readonly string[];
  readonly gates: readonly GateLine[];
  readonly startedAt: string | null;
  readonly endedAt: string | null;
}

/** The same with its record and its files. */
export interface CheckView extends CheckLine {
  readonly record: GateCheck | ReviewRecord | null;
  /** Why the record cannot be read; null where it can, or where there is none. */
  readonly problem: string | null;
  readonly folder: string;
  /** Files there are by name: `transcript`, `step-1/transcript`. Absolute. */
  readonly files: Readonly<Record<string, string>>;
}

/** A whole round. Round 0: the setup, and what was checked before round 1. */
export interface RoundView {
  readonly runId: string;
  readonly row: RoundRow | null;
  readonly attempts: readonly AttemptView[];
  readonly checks: readonly CheckView[];
  readonly progress: RoundProgress | null;
}

/** An attempt as the ledger tells it, or as Temporal's history does. */
export type AttemptLine = Omit<LedgerLine, 'path' | 'status'>;
