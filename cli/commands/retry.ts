import { Command } from 'commander';
import { ralphError } from '../../schemas/errors/index.ts';
import type { CommandContext } from '../context.ts';
import { doing, endedMeanwhile, retryText } from '../text/steer-text.ts';
import { steerLive } from '../follow/steer.ts';

const WITHIN_MS = 15_000;

export function retryCommand(context: CommandContext): Command {
  const { terminal, env, now } = context;
  return new Command('retry')
    .description('end the wait that a run is in, and try again now')
    .argument('<run>', 'id of the run')
    .action(async (runId: string) => {
      const { openDeployment } = await import('../../client/connect/deployment.ts');
      const deployment = await openDeployment(env);
      const { before, after } = await steerLive(
        { context, deployment, runId, done: 'made to try again' },
        ({ memo: known }) => {
          if (known === null || known.status !== 'waiting') {
            throw ralphError('run-not-waiting', { runId, does: known === null ? 'of another version' : does(known) });
          }
          return {
            steer: { kind: 'retry' },
            obeyed: ({ memo }) => memo !== null && (memo.status !== 'waiting' || memo.until !== known.until),
            withinMs: WITHIN_MS,
          };
        },
      );
      const until = before.memo === null ? null : before.memo.until;
      if (after.status === 'open') terminal.out(retryText(after, until, now()));
      else terminal.note(endedMeanwhile(runId));
    });
}

function does(memo: Parameters<typeof doing>[0]): string {
  return memo.status === 'paused' ? 'paused, and `ralph resume` lets it go on' : doing(memo);
}
