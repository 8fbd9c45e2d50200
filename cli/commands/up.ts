import { Command } from 'commander';
import type { CommandContext } from '../context.ts';
import { servicesPage } from '../pages/services-page.ts';

export function upCommand({ terminal, env, now }: CommandContext): Command {
  return new Command('up')
    .description('start the worker and the embedded Temporal server if they are not running')
    .action(async () => {
      const { openDeployment } = await import('../../client/connect/deployment.ts');
      const { ensureServices } = await import('../../client/connect/ensure-services.ts');
      const { describeServices } = await import('../../client/connect/services.ts');
      const deployment = await openDeployment(env);
      const link = await ensureServices(deployment, {
        worker: 'always',
        first: null,
        onNote: (text) => terminal.note(text),
      });
      await link.close();
      const { paint } = terminal;
      terminal.out(servicesPage(await describeServices(deployment), { now: now(), paint }).join('\n'));
    });
}
