import { Command } from 'commander';
import type { CommandContext } from '../context.ts';
import { json } from '../terminal/json.ts';
import { servicesPage } from '../pages/services-page.ts';

export function statusCommand({ terminal, env, now }: CommandContext): Command {
  return new Command('status')
    .description('show what is running and where: Temporal, worker, live runs')
    .option('--json', 'print JSON')
    .action(async (flags: { json?: boolean }) => {
      const { openDeployment } = await import('../../client/connect/deployment.ts');
      const { describeServices } = await import('../../client/connect/services.ts');
      const view = await describeServices(await openDeployment(env));
      const { paint } = terminal;
      terminal.out(flags.json === true ? json(view) : servicesPage(view, { now: now(), paint }).join('\n'));
    });
}
