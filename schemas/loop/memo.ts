import { z } from 'zod';
import { Budgets, Ceilings, noBudgets, nothingSpent, Spent } from '../budget/budget.ts';
import { Receipt } from '../round/receipt.ts';
import { agentTitle, objectiveTitle, type RunRequest } from '../run/run.ts';
import { Controls, noControls } from './control.ts';
import type { LoopState } from './state.ts';

/** What a run is doing, or how it ended. */
export const RunStatus = z.enum([
  'starting',
  'preparing',
  'running',
  'checking',
  'waiting',
  'paused',
  'complete',
  'blocked',
  'budget-limited',
  'stalled',
  'stopped',
  'round-failed',
  'cancelled',
]);
export type RunStatus = z.infer<typeof RunStatus>;

/** Memo key under which a run's workflow keeps its `RunMemo`. */
export const MEMO_KEY = 'ralph';

/** What of a state changes with every round: the memo has it as of its last change, a heartbeat as of now. */
export const Counters = z.strictObject({
  rounds: z.int().nonnegative(),
  spent: Spent,
  ceilings: Ceilings,
  commit: z.string(),
  ref: z.string().nullable(),
});
export type Counters = z.infer<typeof Counters>;

export const countersOf = ({ rounds, spent, ceilings, commit, ref }: LoopState): Counters => ({
  rounds,
  spent,
  ceilings,
  commit,
  ref,
});

/**
 * What `list` and `status` show, kept in the run's memo in Temporal so that both work with no worker up. Written by
 * whoever starts the run, then by the workflow when the status changes. What changes with every round is newer in the
 * heartbeat of the round.
 */
export const RunMemo = z.strictObject({
  status: RunStatus,
  /** First line of the objective, at most 120 characters. */
  title: z.string(),
  repository: z.string(),
  agent: z.string(),
  hostId: z.string(),
  /** The round under way, or the last one; 0 before the first. */
  round: z.int().nonnegative(),
  maxRounds: z.int().positive(),
  budgets: Budgets.default(noBudgets),
  spent: Spent.default(nothingSpent),
  /** What a person asked for and the loop still has to obey. */
  controls: Controls.default(noControls),
  /** How many control signals it has taken; the most is MAX_CONTROLS. */
  controlsTaken: z.int().nonnegative().default(0),
  commit: z.string().nullable(),
  ref: z.string().nullable(),
  /** Until when it waits, where it waits. */
  until: z.iso.datetime().nullable(),
  /** In one line: why it waits or ended. */
  why: z.string().nullable(),
  /** What the last disposal proved, once the run has ended. */
  receipt: Receipt.nullable(),
});
export type RunMemo = z.infer<typeof RunMemo>;

/** What a run is doing, as its memo says it. */
export type Doing = Pick<RunMemo, 'status'> & Partial<Pick<RunMemo, 'round' | 'until' | 'why' | 'receipt'>>;

/** The memo of a run. */
export function memoOf(run: {
  request: RunRequest;
  state: LoopState;
  controls: Controls;
  controlsTaken: number;
  doing: Doing;
}): RunMemo {
  const { request, state, controls, controlsTaken, doing } = run;
  const { maxRounds, budgets } = state.ceilings;
  return {
    title: objectiveTitle(request.objective),
    repository: request.repository.path,
    agent: agentTitle(request.agent),
    hostId: request.hostId,
    round: state.rounds,
    maxRounds,
    budgets,
    spent: state.spent,
    controls,
    controlsTaken,
    commit: state.prepared ? state.commit : null,
    ref: state.ref,
    until: null,
    why: null,
    receipt: null,
    ...doing,
  };
}
