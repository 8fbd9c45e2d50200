import type { CheckRow, EndedRound, GateLine, RoundOutcome } from '../../client/view/round-view.ts';
import type {
  Chain,
  Doing,
  EndedPhase,
  Ending,
  LivePhase,
  RollbackView,
  RunSummary,
  RunView,
} from '../../client/view/run-view.ts';
import { noBudgets } from '../../schemas/budget/budget.ts';
import { noControls, type Controls } from '../../schemas/loop/control.ts';
import type { UnreleasedEnding } from '../../schemas/run/result.ts';
import type { Rollback } from '../../schemas/run/rollback.ts';
import type { RunRequest } from '../../schemas/run/run.ts';
import { wholeRequest } from './plain-request.ts';

export const AT = '2026-01-05T09:00:00.000Z';
const ENDED_AT = '2026-01-05T09:00:01.000Z';

/** A round that ended. */
export const roundRow = (more: Partial<EndedRound> = {}): EndedRound => ({
  kind: 'ended',
  round: 1,
  attempts: 1,
  tries: [],
  interrupted: 0,
  outcome: { kind: 'continue' },
  startedAt: AT,
  endedAt: ENDED_AT,
  durationMs: 1_000,
  usage: null,
  tokens: { kind: 'unknown' },
  costUsd: { kind: 'unknown' },
  agents: [],
  commit: 'a'.repeat(40),
  changes: { files: 1, insertions: 1, deletions: 0 },
  summary: '',
  secrets: [],
  ...more,
});

/** The outcome of a round that claims completion. */
export const claims = (verdict: 'pending' | 'accepted' | 'rejected' = 'pending'): RoundOutcome => ({
  kind: 'complete',
  verdict: verdict === 'rejected' ? { kind: verdict, reasons: ['gate "npm test" failed'] } : { kind: verdict },
});

export const faulty = (code: string): RoundOutcome => ({ kind: 'fault', code });

export const gateLine = (more: Partial<GateLine> = {}): GateLine => ({
  command: 'npm test',
  result: 'failed',
  exitCode: 1,
  timedOut: false,
  ms: 5,
  changed: [],
  said: null,
  ...more,
});

/** A check of the completion claim of round 2; as it is, the gates rejected it. */
export const checkRow = (more: Partial<CheckRow> = {}): CheckRow => ({
  check: 'gates',
  round: 2,
  claimOf: null,
  number: 1,
  outcome: { kind: 'rejected', reasons: ['gate "npm test" ended with exit code 1'], gates: [gateLine()] },
  took: null,
  ...more,
});
export const REJECTED = 'gates of round 2: rejected the completion claim: gate "npm test" ended with exit code 1';

export const live = (doing: Doing, controls: Controls = noControls, maxRounds = 256): LivePhase => ({
  kind: 'live',
  doing,
  controls,
  ceilings: { maxRounds, budgets: noBudgets },
});
export const running = (round: number): Doing => ({ status: 'running', round, attempt: null });

export const endedBy = (how: Ending): EndedPhase => ({ kind: 'ended', how, endedAt: ENDED_AT, receipt: null });
export const recorded = (ending: UnreleasedEnding): EndedPhase => endedBy({ kind: 'recorded', ending });

export const whole = (more: Partial<RunRequest>): RunView['request'] => ({
  kind: 'whole',
  request: wholeRequest(more),
});

export const noChain: Chain = {
  continues: null,
  previous: [],
  continued: { kind: 'none' },
  spend: { kind: 'unknown' },
};

/** A rollback that was made whole. */
export const rollback = (more: Partial<Rollback> = {}): Rollback => ({
  number: 1,
  to: 0,
  commit: 'c',
  abandoned: 'a',
  keptAt: `refs/ralph-abandoned/r/${more.number ?? 1}`,
  kept: true,
  ref: null,
  notes: [],
  at: AT,
  done: true,
  ...more,
});
export const rolledBack = (to: number, rounds: readonly EndedRound[] = []): RollbackView => {
  const inForce = rollback({ to });
  return { kind: 'done', inForce, all: [inForce], rounds };
};

/** A run in round 1 of which little is known. */
export const runView = (more: Partial<RunView> = {}): RunView => ({
  runId: 'r',
  request: whole({}),
  startedAt: AT,
  phase: live(running(1)),
  ceilings: { maxRounds: 256, budgets: noBudgets },
  spend: { kind: 'unknown' },
  rounds: [roundRow()],
  rollback: { kind: 'none' },
  checks: [],
  work: { kind: 'branch', branch: 'ralph/r', commit: 'a'.repeat(40) },
  chain: noChain,
  temporal: { kind: 'forgotten' },
  folder: null,
  notes: [],
  ...more,
});

export const runSummary = (more: Partial<RunSummary> = {}): RunSummary => ({
  runId: 'r',
  phase: live(running(1)),
  about: { title: 'o', repository: '/r', agent: 'command' },
  progress: { round: 1, maxRounds: 256, rolledBack: 0 },
  continues: null,
  startedAt: AT,
  work: { kind: 'unknown' },
  ...more,
});
