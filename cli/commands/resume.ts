import { Command } from 'commander';
import type { CommandContext } from '../context.ts';
import { endedMeanwhile, resumeText } from '../output/steer-text.ts';
import { steerLive } from '../steer.ts';

const WITHIN_MS = 15_000;

export function resumeCommand(context: CommandContext): Command {
  const { terminal, env } = context;
  return new Command('resume')
    .description('let a paused run go on')
    .argument('<run>', 'id of the run')
    .action(async (runId: string) => {
      const { openDeployment } = await import('../../client/deployment.ts');
      const deployment = await openDeployment(env);
      const { before, after } = await steerLive({ context, deployment, runId, done: 'resumed' }, () => ({
        steer: { kind: 'resume' },
        obeyed: ({ memo }) => memo !== null && memo.status !== 'paused' && !memo.steering.pause,
        withinMs: WITHIN_MS,
      }));
      if (after.status === 'open') terminal.out(resumeText(before, after));
      else terminal.note(endedMeanwhile(runId));
    });
}
