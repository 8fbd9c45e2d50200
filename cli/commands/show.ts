import { Command } from 'commander';
import { withStatus } from '../../client/view/run-view.ts';
import { numberFromZero } from '../arguments/numbers.ts';
import type { CommandContext } from '../context.ts';
import { json } from '../terminal/json.ts';
import { roundPage } from '../pages/round-page.ts';
import { runPage } from '../pages/run-page.ts';

interface ShowFlags {
  readonly round?: number;
  readonly json?: boolean;
}

export function showCommand({ terminal, env, now }: CommandContext): Command {
  return new Command('show')
    .description('show a run and its rounds, or one round in full')
    .argument('<run>', 'id of the run')
    .option(
      '--round <n>',
      'show this round with all its attempts and checks; 0: the setup, and the checks before round 1',
      numberFromZero,
    )
    .option('--json', 'print JSON')
    .action(async (runId: string, { round, json: asJson }: ShowFlags) => {
      const { openDeployment } = await import('../../client/connect/deployment.ts');
      const deployment = await openDeployment(env);
      const { paint } = terminal;
      const how = { now: now(), width: terminal.columns(), paint };
      if (round === undefined) {
        const { showRun } = await import('../../client/view/show-run.ts');
        const { headlineOf } = await import('../../client/describe/describe-run.ts');
        const run = await showRun(deployment, runId);
        const headline = headlineOf(run, how.now);
        terminal.out(asJson === true ? json(withStatus(run)) : runPage(run, { ...how, headline }).join('\n'));
        return;
      }
      const { showRound } = await import('../../client/view/show-round.ts');
      const view = await showRound(deployment, runId, round);
      terminal.out(asJson === true ? json(view) : roundPage(view, how).join('\n'));
    });
}
