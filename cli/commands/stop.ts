import { Command } from 'commander';
import type { CommandContext } from '../context.ts';
import { runEnd } from '../output/run-end.ts';
import { stopText } from '../output/steer-text.ts';
import { liveRun, steerLive } from '../steer.ts';

const WITHIN_MS = 15_000;
/** A run that stands still ends at once; its workspace is released before. */
const ENDS_WITHIN_MS = 30_000;

export function stopCommand(context: CommandContext): Command {
  const { terminal, env } = context;
  return new Command('stop')
    .description('end a run when the round under way has ended')
    .argument('<run>', 'id of the run')
    .action(async (runId: string) => {
      const { openDeployment } = await import('../../client/deployment.ts');
      const { showRun } = await import('../../client/show-run.ts');
      const deployment = await openDeployment(env);
      const { status } = await liveRun(deployment, runId, 'stopped');
      const stands = status === 'paused' || status === 'waiting';
      const run = await steerLive({
        context,
        deployment,
        runId,
        steer: { kind: 'stop' },
        obeyed: ({ memo }) => !stands && memo !== null && memo.steering.stop,
        withinMs: stands ? ENDS_WITHIN_MS : WITHIN_MS,
      });
      if (run !== null && run.status === 'open') terminal.out(stopText(run));
      else terminal.out(runEnd(await showRun(deployment, runId), terminal.paint).join('\n'));
    });
}
