import { Command } from 'commander';
import { areRaised, raiseBudgets, type Additions } from '../../client/control/raise-budgets.ts';
import { noteRaise, raisedTo, raisesTold } from '../../client/control/raises-told.ts';
import type { Ceilings } from '../../schemas/loop/loop.ts';
import type { Deployment } from '../../client/connect/deployment.ts';
import { dollars, milliseconds, tokenCount, wholeNumber } from '../arguments/numbers.ts';
import type { CommandContext } from '../context.ts';
import { raiseText, whenItCounts } from '../text/raise-text.ts';
import { budgetPage } from '../text/spent-text.ts';
import { endedMeanwhile } from '../text/steer-text.ts';
import { steerLive } from '../follow/steer.ts';

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
    .description('show what a run used of its budgets, or raise them while it goes on')
    .argument('<run>', 'id of the run')
    .option('--add-rounds <n>', 'so many rounds more', wholeNumber)
    .option('--add-time <duration>', 'so much more time of work', milliseconds)
    .option('--add-tokens <n>', 'so many tokens more, say 500k', tokenCount)
    .option('--add-cost <dollars>', 'so many US dollars more', dollars)
    .option('--add-wait <duration>', 'so much more time of waiting', milliseconds)
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

/** With the line to itself: what is added here and elsewhere on this machine at the same moment all counts. */
async function raise(
  context: CommandContext,
  asked: { deployment: Deployment; runId: string; added: Additions },
): Promise<void> {
  const { deployment, runId } = asked;
  const { showRun } = await import('../../client/view/show-run.ts');
  const { withLine } = await import('../../client/resume/with-line.ts');
  // A run that nobody knows gets no lock.
  await showRun(deployment, runId);
  await withLine(deployment.ralphHome, runId, () => raiseAlone(context, asked));
}

async function raiseAlone(
  context: CommandContext,
  { deployment, runId, added }: { deployment: Deployment; runId: string; added: Additions },
): Promise<void> {
  const { terminal } = context;
  const { showRun } = await import('../../client/view/show-run.ts');
  const { ralphHome } = deployment;
  const told = await raisesTold(ralphHome, runId);
  const said: { from: Ceilings; to: Ceilings; unlimited: readonly string[] }[] = [];
  const { after } = await steerLive({ context, deployment, runId, done: 'given more' }, ({ memo: known }) => {
    if (known === null) throw new Error(`the memo of ${runId} is missing`);
    const from = raisedTo(known, told);
    const { raise: steer, unlimited } = raiseBudgets(from, added, deployment.settings);
    const to = raisedTo(from, steer);
    said.push({ from, to, unlimited });
    return {
      steer,
      told: () => noteRaise(ralphHome, runId, to),
      obeyed: ({ memo }) => memo !== null && areRaised(memo, to),
      withinMs: WITHIN_MS,
    };
  });
  for (const { from, to, unlimited } of said) {
    for (const budget of unlimited) {
      terminal.note(`${runId} has no limit on its ${budget}: there is nothing to add to.`);
    }
    const text = raiseText(from, to);
    if (text !== '') terminal.out(`Added: ${text}`);
  }
  if (after.status !== 'open' || after.memo === null) {
    terminal.note(endedMeanwhile(runId));
    return;
  }
  for (const line of budgetPage(await showRun(deployment, runId))) terminal.out(line);
  const { memo } = after;
  if (said.every(({ from, to }) => raiseText(from, to) === '')) return;
  terminal.note(
    whenItCounts(
      runId,
      said.every(({ to }) => areRaised(memo, to)),
    ),
  );
}
