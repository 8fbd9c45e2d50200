import { Command } from 'commander';
import {
  type Additions,
  areRaised,
  noteRaise,
  raiseBudgets,
  raisedTo,
  raisesSent,
} from '../../client/control/raise-budgets.ts';
import type { Ceilings } from '../../schemas/budget/budget.ts';
import type { Deployment } from '../../client/connect/deployment.ts';
import { dollars, milliseconds, tokenCount, wholeNumber } from '../arguments/numbers.ts';
import type { CommandContext } from '../context.ts';
import { budgetLines } from '../../client/describe/spend-words.ts';
import { rolledBackRounds, type RunView } from '../../client/view/run-view.ts';
import { fields } from '../terminal/layout.ts';
import { palette } from '../terminal/palette.ts';
import { BUDGETS } from '../../client/start/budget-kinds.ts';

const WITHIN_MS = 15_000;

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
    .description('show how much of its budgets a run has used, or raise them while it is live')
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

/** One command at a time changes a chain, so that what two commands add at the same moment both counts. */
async function raise(
  context: CommandContext,
  asked: { deployment: Deployment; runId: string; added: Additions },
): Promise<void> {
  const { deployment, runId } = asked;
  const { showRun } = await import('../../client/view/show-run.ts');
  const { withChain } = await import('../../client/resume/chain.ts');
  // A run that nobody knows gets no lock.
  await showRun(deployment, runId);
  await withChain(deployment.ralphHome, runId, () => raiseAlone(context, asked));
}

async function raiseAlone(
  context: CommandContext,
  { deployment, runId, added }: { deployment: Deployment; runId: string; added: Additions },
): Promise<void> {
  const { terminal } = context;
  const { showRun } = await import('../../client/view/show-run.ts');
  const { ralphHome } = deployment;
  const { controlRun, runEnded } = await import('../../client/control/control-run.ts');
  const sent = await raisesSent(ralphHome, runId);
  const raised: { from: Ceilings; to: Ceilings; unlimited: readonly string[] }[] = [];
  const asked = { deployment, runId, done: 'given more', onNote: (text: string): void => terminal.note(text) };
  const { after } = await controlRun(asked, ({ memo: known }) => {
    if (known === null) throw new Error(`the memo of ${runId} is missing`);
    const from = raisedTo(known, sent);
    const { raise: control, unlimited } = raiseBudgets(from, added, deployment.settings);
    const to = raisedTo(from, control);
    raised.push({ from, to, unlimited });
    return {
      control,
      sent: () => noteRaise(ralphHome, runId, to),
      applied: ({ memo }) => memo !== null && areRaised(memo, to),
      withinMs: WITHIN_MS,
    };
  });
  if (after.status !== 'open' || after.memo === null) throw await runEnded(asked, after.memo?.status ?? after.status);
  for (const { from, to, unlimited } of raised) {
    for (const budget of unlimited) {
      terminal.note(`${runId} has no ${budget === 'tokens' ? 'token' : budget} limit, so there is nothing to add to.`);
    }
    const text = raiseText(from, to);
    if (text !== '') terminal.out(`Added: ${text}`);
  }
  for (const line of budgetPage(await showRun(deployment, runId))) terminal.out(line);
  const { memo } = after;
  if (raised.every(({ from, to }) => raiseText(from, to) === '')) return;
  terminal.note(
    whenItCounts(
      runId,
      raised.every(({ to }) => areRaised(memo, to)),
    ),
  );
}

/** "rounds 10 → 12, cost $5.00 → $7.50": what rose. Empty: nothing. */
export function raiseText(from: Ceilings, to: Ceilings): string {
  const rounds = to.maxRounds === from.maxRounds ? [] : [`rounds ${from.maxRounds} → ${to.maxRounds}`];
  const others = BUDGETS.flatMap(({ budget, limit, text }) => {
    const [had, has] = [from.budgets[limit], to.budgets[limit]];
    return had === null || has === null || had === has ? [] : [`${budget} ${text(had)} → ${text(has)}`];
  });
  return [...rounds, ...others].join(', ');
}

/** When what was added counts. @param isHeard whether the run is seen to have the new totals */
function whenItCounts(runId: string, isHeard: boolean): string {
  if (isHeard) return 'The added budget counts from the next attempt on.';
  return `The run has not received this yet; it will when a worker is alive. Until then, the budgets above apply. Do not add the same again: \`ralph budget ${runId}\` will show the new totals.`;
}

/** The page of `ralph budget RUN`. */
function budgetPage(run: RunView): string[] {
  const { rows, notes } = budgetLines({ ...run, rolledBack: rolledBackRounds(run.rollback).length });
  return [...fields(rows, palette(false)), ...notes];
}
