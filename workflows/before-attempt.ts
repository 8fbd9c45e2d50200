import type { LoopState } from '../schemas/loop/loop.ts';
import type { RunResult } from '../schemas/run/result.ts';
import { budgetReached, unaffordable } from './budget.ts';
import { endedAt } from './decide-after-report.ts';
import { limitedBy } from './end-of-budget.ts';
import type { LoopRun } from './loop-run.ts';
import { obeyPause } from './obey-pause.ts';

/** What comes before an attempt: a pause, a stop, and whether it can be paid for. @returns the run's end; null: go on */
export async function beforeAttempt(run: LoopRun, state: LoopState): Promise<RunResult | null> {
  const { steered } = run;
  const isFirst = state.faults.afterAttempt === 0;
  await obeyPause(run, state, state.rounds + 1);
  if (steered.stop) return { status: 'stopped', ...endedAt(state), handoff: state.handoff };
  const { budgets } = steered.ceilings;
  // A round that was begun is seen through while anything is left for it.
  const reached = isFirst ? unaffordable(state.spent, budgets) : budgetReached(state.spent, budgets);
  return reached === null ? null : limitedBy(state, reached);
}
