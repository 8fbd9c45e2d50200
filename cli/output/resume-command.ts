import type { RunView } from '../../client/run-view.ts';
import { spentOut } from '../../client/spent-out.ts';
import type { BudgetName } from '../../schemas/budget.ts';

/** What gives a successor more of a budget that has nothing left. */
const MORE = {
  rounds: '--max-rounds N',
  time: '--max-time 2h',
  tokens: '--max-tokens 2M',
  cost: '--max-cost 10',
  wait: '--max-wait 2h',
} as const satisfies Record<BudgetName, string>;

/** The command that goes on from a run which has ended, with the budget that it would be refused without. */
export function resumeCommand(run: RunView): string {
  const { ending, runId } = run;
  const budget = ending !== null && ending.status === 'budget-limited' ? ending.budget : spentOut(run);
  return budget === null ? `ralph resume ${runId}` : `ralph resume ${runId} ${MORE[budget]}`;
}
