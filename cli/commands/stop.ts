import { Command } from 'commander';
import type { CommandContext } from '../context.ts';
import { runEnd } from '../pages/run-end.ts';
import { stopText } from '../text/steer-text.ts';
import { steerLive } from '../follow/steer.ts';

const WITHIN_MS = 15_000;
/** A run that stands still ends at once; its workspace is released before. */
const ENDS_WITHIN_MS = 30_000;

export function stopCommand(context: CommandContext): Command {
  const { terminal, env } = context;
  return new Command('stop')
    .description('end a run when the round under way has ended')
    .argument('<run>', 'id of the run')
    .action(async (runId: string) => {
      const { openDeployment } = await import('../../client/connect/deployment.ts');
      const { showRun } = await import('../../client/view/show-run.ts');
      const deployment = await openDeployment(env);
      const { after } = await steerLive({ context, deployment, runId, done: 'stopped' }, (before) => {
        const stands = before.memo !== null && ['paused', 'waiting'].includes(before.memo.status);
        return {
          steer: { kind: 'stop' },
          obeyed: ({ memo }) => !stands && memo !== null && memo.steering.stop,
          withinMs: stands ? ENDS_WITHIN_MS : WITHIN_MS,
        };
      });
      if (after.status === 'open') terminal.out(stopText(after));
      else {
        const { wayOn } = await import('../../client/resume/way-on.ts');
        const run = await showRun(deployment, runId);
        terminal.out(runEnd(run, { way: await wayOn(deployment, run), paint: terminal.paint }).join('\n'));
      }
    });
}
