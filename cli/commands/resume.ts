import { Command } from 'commander';
import type { CommandContext } from '../context.ts';
import { resumeText } from '../output/steer-text.ts';
import { liveRun, steerLive } from '../steer.ts';

const WITHIN_MS = 15_000;

export function resumeCommand(context: CommandContext): Command {
  const { terminal, env } = context;
  return new Command('resume')
    .description('let a paused run go on')
    .argument('<run>', 'id of the run')
    .action(async (runId: string) => {
      const { openDeployment } = await import('../../client/deployment.ts');
      const deployment = await openDeployment(env);
      await liveRun(deployment, runId, 'resumed');
      const run = await steerLive({
        context,
        deployment,
        runId,
        steer: { kind: 'resume' },
        obeyed: ({ memo }) => memo !== null && memo.status !== 'paused' && !memo.steering.pause,
        withinMs: WITHIN_MS,
      });
      if (run !== null && run.status === 'open') terminal.out(resumeText(run));
      else terminal.note(`${runId} has ended meanwhile; \`ralph why ${runId}\` tells why.`);
    });
}
