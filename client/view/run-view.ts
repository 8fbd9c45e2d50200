import type { Ceilings } from '../../schemas/budget/budget.ts';
import type { Controls } from '../../schemas/loop/control.ts';
import type { CheckProgress, RoundProgress } from '../../schemas/round/round-progress.ts';
import type { UnreleasedEnding } from '../../schemas/run/result.ts';
import type { Rollback } from '../../schemas/run/rollback.ts';
import type { RunRequest } from '../../schemas/run/run.ts';
import type { Receipt } from '../../schemas/round/receipt.ts';
import type { Amount, CheckRow, RoundRow } from './round-view.ts';

// The one read model: what is known of a run, from Temporal and its files. `--json` prints these documents. Times are
// ISO 8601 in UTC. What a variant of a union does not have cannot be written; null means that it is not known, or that
// there is none, as the field says.

/** How a run ended, as the engine wrote it down. */
export type EndedStatus = UnreleasedEnding['status'];

/** What a live run does, or waits for. `round`: the one that this is about; 0: before the first. */
export type Doing =
  | { readonly status: 'starting' }
  | { readonly status: 'preparing' }
  /** `attempt`: as its worker last said; null: it has said nothing yet. */
  | { readonly status: 'running'; readonly round: number; readonly attempt: RoundProgress | null }
  /** `what`: "gates", "review". `check`: as its worker last said; null: it has said nothing yet. */
  | {
      readonly status: 'checking';
      readonly round: number;
      readonly what: string | null;
      readonly check: CheckProgress | null;
    }
  /** `until`: null: not known. `why`: the fault, "code: message"; null: not known. */
  | { readonly status: 'waiting'; readonly round: number; readonly until: string | null; readonly why: string | null }
  | { readonly status: 'paused'; readonly round: number }
  /** It has ended, and its workspace is being released. */
  | { readonly status: 'ending'; readonly round: number; readonly as: EndedStatus };

export interface LivePhase {
  readonly kind: 'live';
  readonly doing: Doing;
  /** What a person asked for and the loop has not done yet. */
  readonly controls: Controls;
  readonly ceilings: Ceilings;
}

/** How a run ended. */
export type Ending =
  /** As the engine wrote it down. */
  | { readonly kind: 'recorded'; readonly ending: UnreleasedEnding }
  /** Its files are not here: what Temporal tells in one line. */
  | { readonly kind: 'brief'; readonly status: EndedStatus; readonly why: string | null }
  /** Somebody terminated the workflow from outside. */
  | { readonly kind: 'terminated' }
  /** The workflow failed for a reason of the engine. */
  | { readonly kind: 'failed' };

export interface EndedPhase {
  readonly kind: 'ended';
  readonly how: Ending;
  readonly endedAt: string | null;
  /** What the last disposal proved; null: nothing was ever started, or it is not known. */
  readonly receipt: Receipt | null;
}

/**
 * Whether the run is live cannot be told. `temporal-unreachable`: no ending is recorded and Temporal cannot be asked.
 * `forgotten`: no ending is recorded and Temporal does not know the run. `ending-lost`: Temporal says that it has ended,
 * and nothing says how. `unreadable`: Temporal says that it is live, and this version cannot read what it says of it.
 */
export interface UnknownPhase {
  readonly kind: 'unknown';
  readonly why: 'temporal-unreachable' | 'forgotten' | 'ending-lost' | 'unreadable';
}

export type Phase = LivePhase | EndedPhase | UnknownPhase;

/** A phase in one word. */
export type ShownStatus = Doing['status'] | EndedStatus | 'terminated' | 'failed' | 'unknown';

/** What was asked for. `brief`: the request is not here or cannot be read, and Temporal tells this much of it. */
export type RequestView =
  | { readonly kind: 'whole'; readonly request: RunRequest }
  | {
      readonly kind: 'brief';
      readonly title: string;
      readonly repository: string;
      readonly agent: string;
      readonly hostId: string;
    }
  | { readonly kind: 'unknown' };

/** What a run, or a chain of runs, used of its budgets. Rounds that were rolled back count. */
export type Spend =
  | { readonly kind: 'unknown' }
  | {
      readonly kind: 'known';
      readonly rounds: number;
      readonly timeMs: Amount;
      /** Input, output and cache writes. */
      readonly tokens: Amount;
      readonly costUsd: Amount;
      readonly waitMs: number;
      readonly cacheReadTokens: number;
    };

/** The rollbacks of a run that has ended. `rounds`: those that no longer count. */
export type RollbackView =
  | { readonly kind: 'none' }
  | {
      readonly kind: 'done';
      readonly inForce: Rollback;
      readonly all: readonly Rollback[];
      readonly rounds: readonly RoundRow[];
    }
  /** The last one was begun and not ended; the branch may stand before or after it. */
  | {
      readonly kind: 'unfinished';
      readonly begun: Rollback;
      readonly before: readonly Rollback[];
      readonly rounds: readonly RoundRow[];
    };

/** Where a run's last commit is to be found. */
export type Work =
  /** The workspace is not made yet. */
  | { readonly kind: 'not-made'; readonly branch: string | null }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'branch'; readonly branch: string; readonly commit: string | null }
  /** A ref of the user's repository that is not the run's branch. `why`: null: not known. */
  | {
      readonly kind: 'ref';
      readonly ref: string;
      readonly branch: string | null;
      readonly commit: string | null;
      readonly why: string | null;
    }
  /** The user's repository does not show it. `repository`: the engine's own, which does; null: its files are not here. */
  | {
      readonly kind: 'engine';
      readonly repository: string | null;
      readonly commit: string;
      readonly why: string | null;
    };

/** A run before this one in its chain. */
export interface PreviousRun {
  readonly runId: string;
  readonly status: ShownStatus;
  readonly rounds: readonly RoundRow[];
  readonly rolledBack: readonly RoundRow[];
}

/** Whether a run was continued. `last`: the last run of the chain. */
export type Continuation =
  | { readonly kind: 'none' }
  | {
      readonly kind: 'continued';
      readonly as: readonly string[];
      readonly last: { readonly runId: string; readonly status: ShownStatus };
    }
  /** Every run that continued it was rolled back to where it began. */
  | { readonly kind: 'rolled-back'; readonly as: readonly string[] };

/** The runs with one objective and one branch, one after the other. */
export interface Chain {
  /** The run that this one continues; null: it is the first, or that is not known. */
  readonly continues: string | null;
  /** The runs before this one whose files are here, the first one first. */
  readonly previous: readonly PreviousRun[];
  readonly continued: Continuation;
  /** What this run and those before it used. */
  readonly spend: Spend;
}

/** What Temporal knows of a run. */
export type TemporalView =
  | {
      readonly kind: 'known';
      readonly workflowId: string;
      readonly executionId: string;
      readonly namespace: string;
      readonly status: string;
      readonly page: string | null;
    }
  /** The run's ending is recorded, so nothing was asked. */
  | { readonly kind: 'not-asked'; readonly page: string | null }
  | { readonly kind: 'forgotten' }
  | { readonly kind: 'unreachable'; readonly why: string };

/** One run in a list. */
export interface RunSummary {
  readonly runId: string;
  readonly phase: Phase;
  /** Null: not known. */
  readonly about: { readonly title: string; readonly repository: string; readonly agent: string } | null;
  /** The round under way, or the last one that counts; 0: before the first. `rolledBack`: those that no longer count. Null: not known. */
  readonly progress: { readonly round: number; readonly maxRounds: number; readonly rolledBack: number } | null;
  readonly continues: string | null;
  readonly startedAt: string | null;
  readonly work: Work;
}

/** A whole run. */
export interface RunView {
  readonly runId: string;
  readonly request: RequestView;
  readonly startedAt: string | null;
  readonly phase: Phase;
  /** The limits in force, raised ones too; null: not known. */
  readonly ceilings: Ceilings | null;
  readonly spend: Spend;
  /** The rounds that count. */
  readonly rounds: readonly RoundRow[];
  readonly rollback: RollbackView;
  /** Every run of the gates and every review, in order. */
  readonly checks: readonly CheckRow[];
  readonly work: Work;
  readonly chain: Chain;
  readonly temporal: TemporalView;
  /** The run's folder; null: its files are not on this machine. */
  readonly folder: string | null;
  /** What a reader must know. */
  readonly notes: readonly string[];
}

/** A phase in one word. */
export function statusOf(phase: Phase): ShownStatus {
  switch (phase.kind) {
    case 'live':
      return phase.doing.status;
    case 'ended':
      return endedAs(phase.how);
    case 'unknown':
      return 'unknown';
    default:
      return phase satisfies never;
  }
}

function endedAs(how: Ending): EndedStatus | 'terminated' | 'failed' {
  switch (how.kind) {
    case 'recorded':
      return how.ending.status;
    case 'brief':
      return how.status;
    case 'terminated':
    case 'failed':
      return how.kind;
    default:
      return how satisfies never;
  }
}

/** What the engine wrote down of how a run ended; null: it has not ended, or nothing is written down. */
export const recordedEnding = (phase: Phase): UnreleasedEnding | null =>
  phase.kind === 'ended' && phase.how.kind === 'recorded' ? phase.how.ending : null;

/** The rollback in force: the last one that was made whole. */
export function rollbackInForce(rollback: RollbackView): Rollback | null {
  switch (rollback.kind) {
    case 'none':
      return null;
    case 'done':
      return rollback.inForce;
    case 'unfinished':
      return rollback.before.at(-1) ?? null;
    default:
      return rollback satisfies never;
  }
}

/** Rounds that a rollback made void. */
export const rolledBackRounds = (rollback: RollbackView): readonly RoundRow[] =>
  rollback.kind === 'none' ? [] : rollback.rounds;

/** The request of a run; null: it is not here, or cannot be read. */
export const requestOf = ({ request }: Pick<RunView, 'request'>): RunRequest | null =>
  request.kind === 'whole' ? request.request : null;

/** Whether something of the run may still be alive: disposal was tried and could not be proved. */
export function isDisposalUnproved(phase: Phase): boolean {
  if (phase.kind !== 'ended') return false;
  if (phase.receipt !== null && phase.receipt.proof === 'unproved') return true;
  const ending = recordedEnding(phase);
  return ending !== null && ending.status === 'round-failed' && ending.fault.code === 'disposal-unproved';
}

/** What `--json` prints of a run: its document, with its status in one word. */
export const withStatus = <View extends { readonly runId: string; readonly phase: Phase }>(view: View) => ({
  status: statusOf(view.phase),
  ...view,
});

/** @param rounds those that the rollbacks made void */
export function rollbackViewOf(rollbacks: readonly Rollback[], rounds: readonly RoundRow[]): RollbackView {
  const done = rollbacks.filter((each) => each.done);
  const begun = rollbacks.find((each) => !each.done);
  if (begun !== undefined) return { kind: 'unfinished', begun, before: done, rounds };
  const inForce = done.at(-1);
  return inForce === undefined ? { kind: 'none' } : { kind: 'done', inForce, all: done, rounds };
}
