import { Command } from 'commander';
import type { CommandContext } from '../context.ts';
import { roundTable } from '../pages/round-table.ts';
import { detachable, followToEnd, printEnd } from '../follow/follow-run.ts';

export function watchCommand(context: CommandContext): Command {
  const { terminal, env } = context;
  return new Command('watch')
    .description('follow a run to its end; the exit code says how it ended')
    .argument('<run>', 'id of the run')
    .option('--json', 'print the run as JSON at the end, progress on stderr')
    .action(async (runId: string, flags: { json?: boolean }) => {
      const { openDeployment } = await import('../../client/connect/deployment.ts');
      const { ensureServices } = await import('../../client/connect/ensure-services.ts');
      const { showRun } = await import('../../client/view/show-run.ts');
      const deployment = await openDeployment(env);
      const known = await showRun(deployment, runId);
      const asJson = flags.json === true;
      if (known.phase.kind === 'ended') {
        const { paint } = terminal;
        const how = { now: context.now(), width: terminal.columns(), paint };
        if (!asJson) for (const line of roundTable(known, how)) terminal.out(line);
        await printEnd({ context, deployment, run: known, asJson });
        return;
      }
      const link = await ensureServices(deployment, {
        worker: 'where-embedded',
        first: null,
        onNote: (text) => terminal.note(text),
      });
      try {
        const follow = { context, link, deployment, runId, past: true, asJson };
        await detachable((detached) => followToEnd({ ...follow, detached }));
      } finally {
        await link.close();
      }
    });
}
