import { Command } from 'commander';
import { statusOf } from '../../client/view/run-view.ts';
import type { CommandContext } from '../context.ts';
import { whyPage } from '../pages/why-page.ts';
import { json } from '../terminal/json.ts';

export function whyCommand({ terminal, env, now }: CommandContext): Command {
  return new Command('why')
    .description('explain what a run is doing or waiting for, or why it ended, and what to do next')
    .argument('<run>', 'id of the run')
    .option('--json', 'print JSON')
    .action(async (runId: string, flags: { json?: boolean }) => {
      const { openDeployment } = await import('../../client/connect/deployment.ts');
      const { whyRun } = await import('../../client/view/why-run.ts');
      const { describeRun } = await import('../../client/describe/describe-run.ts');
      const known = await whyRun(await openDeployment(env), runId);
      const { run } = known;
      const description = describeRun({ ...known, now: now() });
      if (flags.json === true) {
        terminal.out(json({ runId, status: statusOf(run.phase), ...description }));
        return;
      }
      const { paint } = terminal;
      for (const line of whyPage(run, description, { width: terminal.columns(), paint })) terminal.out(line);
    });
}
