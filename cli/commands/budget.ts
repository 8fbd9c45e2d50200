import { Command } from 'commander';
import type { Additions } from '../../client/control/raise-budgets.ts';
import type { Deployment } from '../../client/connect/deployment.ts';
import { dollars, milliseconds, tokenCount, wholeNumber } from '../arguments/numbers.ts';
import { ACTIONS } from '../../client/describe/action-words.ts';
import type { CommandContext } from '../context.ts';
import { budgetLines } from '../../client/describe/spend-words.ts';
import { rolledBackRounds, type RunView } from '../../client/view/run-view.ts';
import { fields } from '../terminal/layout.ts';
import { palette } from '../terminal/palette.ts';

interface BudgetFlags {
  readonly addRounds?: number;
  readonly addTime?: number;
  readonly addTokens?: number;
  readonly addCost?: number;
  readonly addWait?: number;
}

export function budgetCommand(context: CommandContext): Command {
  const { terminal, env } = context;
  return new Command('budget')
    .description(ACTIONS.budget)
    .argument('<run>', 'id of the run')
    .option('--add-rounds <n>', 'add this many rounds', wholeNumber)
    .option('--add-time <duration>', 'add this much working time', milliseconds)
    .option('--add-tokens <n>', 'add this many tokens, for example 500k', tokenCount)
    .option('--add-cost <dollars>', 'add this many US dollars', dollars)
    .option('--add-wait <duration>', 'add this much waiting time', milliseconds)
    .action(async (runId: string, flags: BudgetFlags) => {
      const { openDeployment } = await import('../../client/connect/deployment.ts');
      const deployment = await openDeployment(env);
      if (Object.keys(flags).length > 0) await raise(context, { deployment, runId, added: additions(flags) });
      else {
        const { showRun } = await import('../../client/view/show-run.ts');
        for (const line of budgetPage(await showRun(deployment, runId))) terminal.out(line);
      }
    });
}

function additions({ addRounds, addTime, addTokens, addCost, addWait }: BudgetFlags): Additions {
  return {
    rounds: addRounds ?? null,
    budgets: {
      maxTimeMs: addTime ?? null,
      maxTokens: addTokens ?? null,
      maxCostUsd: addCost ?? null,
      maxWaitMs: addWait ?? null,
    },
  };
}

async function raise(
  { terminal }: CommandContext,
  { deployment, runId, added }: { deployment: Deployment; runId: string; added: Additions },
): Promise<void> {
  const { showRun } = await import('../../client/view/show-run.ts');
  const { raiseRun } = await import('../../client/control/raise-run.ts');
  const raised = await raiseRun({ deployment, runId, onNote: (text) => terminal.note(text) }, added);
  for (const note of raised.unlimited) terminal.note(note);
  if (raised.added !== null) terminal.out(`Added: ${raised.added}`);
  for (const line of budgetPage(await showRun(deployment, runId))) terminal.out(line);
  if (raised.counts !== null) terminal.note(raised.counts);
}

/** The page of `ralph budget RUN`. */
function budgetPage(run: RunView): string[] {
  const { rows, notes } = budgetLines({ ...run, rolledBack: rolledBackRounds(run.rollback).length });
  return [...fields(rows, palette(false)), ...notes];
}
