import { Command } from 'commander';
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
    .description('show a run and its rounds, or one whole round')
    .argument('<run>', 'id of the run')
    .option(
      '--round <n>',
      'show this round with all its attempts and checks; 0: setup, and what was checked before round 1',
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
        const run = await showRun(deployment, runId);
        terminal.out(asJson === true ? json(run) : runPage(run, how).join('\n'));
        return;
      }
      const { showRound } = await import('../../client/view/show-round.ts');
      const view = await showRound(deployment, runId, round);
      terminal.out(asJson === true ? json(view) : roundPage(view, round, how).join('\n'));
    });
}
