import { ApplicationFailure, type Context } from '@temporalio/activity';
import type { Interruption } from '../../schemas/round/fault.ts';
import { confirmedInterruption, interruptionOf } from './interruption.ts';

/** Tells a step of a run when it must end early, and then why. */
export interface Turn {
  readonly signal: AbortSignal;
  readonly interruption: () => Interruption;
  /** The same for the record, once everything is disposed of: Temporal may have to be asked. */
  readonly confirmed: () => Promise<Interruption>;
}

export type TakeTurn = <T>(runId: string, context: Context, step: (turn: Turn) => Promise<T>) => Promise<T>;

/**
 * The steps of a run, one at a time in this process. Where a later one comes, Temporal has given the earlier one up
 * (its heartbeats did not arrive: a stopped worker, a server that was away), so that one is ended, and its end
 * is awaited: two steps in one workspace would undo each other.
 */
export function oneAtATime(): TakeTurn {
  const latest = new Map<string, { readonly late: AbortController; readonly ended: Promise<unknown> }>();
  return async (runId, context, step) => {
    const earlier = latest.get(runId);
    const late = new AbortController();
    const turn: Turn = {
      signal: AbortSignal.any([context.cancellationSignal, late.signal]),
      interruption: () => (late.signal.aborted ? 'disowned' : interruptionOf(context)),
      confirmed: async () => (late.signal.aborted ? 'disowned' : confirmedInterruption(context)),
    };
    const taken = runAfter(earlier, () => step(turn));
    const mine = { late, ended: taken.catch(() => {}) };
    latest.set(runId, mine);
    try {
      return await taken;
    } finally {
      if (latest.get(runId) === mine) latest.delete(runId);
    }
  };
}

async function runAfter<T>(
  earlier: { late: AbortController; ended: Promise<unknown> } | undefined,
  step: () => Promise<T>,
): Promise<T> {
  if (earlier !== undefined) {
    earlier.late.abort(ApplicationFailure.retryable('a later attempt took over', 'superseded'));
    await earlier.ended;
  }
  return await step();
}
