import { Command } from 'commander';
import { ralphError } from '../../schemas/errors/index.ts';
import type { CommandContext } from '../context.ts';
import { doing, retryText } from '../output/steer-text.ts';
import { liveRun, steerLive } from '../steer.ts';

const WITHIN_MS = 15_000;

export function retryCommand(context: CommandContext): Command {
  const { terminal, env, now } = context;
  return new Command('retry')
    .description('end the wait that a run is in, and try again now')
    .argument('<run>', 'id of the run')
    .action(async (runId: string) => {
      const { openDeployment } = await import('../../client/deployment.ts');
      const deployment = await openDeployment(env);
      const known = await liveRun(deployment, runId, 'made to try again');
      const { status, until } = known;
      if (status !== 'waiting' && status !== 'unknown') {
        const paused = `paused, and \`ralph resume ${runId}\` lets it go on`;
        throw ralphError('run-not-waiting', { runId, does: status === 'paused' ? paused : doing(known) });
      }
      const run = await steerLive({
        context,
        deployment,
        runId,
        steer: { kind: 'retry' },
        obeyed: ({ memo }) => memo !== null && (memo.status !== 'waiting' || memo.until !== until),
        withinMs: WITHIN_MS,
      });
      if (run !== null && run.status === 'open') terminal.out(retryText(run, until, now()));
      else terminal.note(`${runId} has ended meanwhile; \`ralph why ${runId}\` tells why.`);
    });
}
