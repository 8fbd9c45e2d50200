import { Command } from 'commander';
import type { CommandContext } from '../context.ts';
import { reapedLines } from '../pages/diagnosis-page.ts';

export function downCommand({ terminal, env }: CommandContext): Command {
  return new Command('down')
    .description('stop the worker, the embedded Temporal server and the page; rejected while runs are live')
    .option('-f, --force', 'stop even if runs are live: they continue after the next `ralph up`')
    .action(async (flags: { force?: boolean }) => {
      const { openDeployment } = await import('../../client/connect/deployment.ts');
      const { stopServices } = await import('../../client/connect/services.ts');
      const { worker, server, page, reaped } = await stopServices(await openDeployment(env), flags.force === true);
      for (const line of reapedLines(reaped)) terminal.out(line);
      if (page) terminal.out('Page stopped.');
      if (worker) terminal.out('Worker stopped.');
      if (server) terminal.out('Temporal server stopped; its database is kept.');
      if (!worker && !server && !page) terminal.out('Nothing was running.');
    });
}
