import { Command } from 'commander';
import { ralphError } from '../../schemas/errors/index.ts';
import type { CommandContext } from '../context.ts';
import { doing, retryText } from '../text/control-text.ts';

const WITHIN_MS = 15_000;

export function retryCommand(context: CommandContext): Command {
  const { terminal, env, now } = context;
  return new Command('retry')
    .description('end the current wait of a run, and try again now')
    .argument('<run>', 'id of the run')
    .action(async (runId: string) => {
      const { openDeployment } = await import('../../client/connect/deployment.ts');
      const deployment = await openDeployment(env);
      const { controlRun, runEnded } = await import('../../client/control/control-run.ts');
      const asked = { deployment, runId, done: 'retried', onNote: (text: string): void => terminal.note(text) };
      const { before, after } = await controlRun(asked, ({ memo: known }) => {
        if (known === null || known.status !== 'waiting') {
          throw ralphError('run-not-waiting', {
            runId,
            does: known === null ? 'a run of another version' : does(known),
          });
        }
        return {
          control: { kind: 'retry' },
          applied: ({ memo }) => memo !== null && (memo.status !== 'waiting' || memo.until !== known.until),
          withinMs: WITHIN_MS,
        };
      });
      const until = before.memo === null ? null : before.memo.until;
      if (after.status !== 'open') throw await runEnded(asked, after.memo?.status ?? after.status);
      terminal.out(retryText(after, until, now()));
    });
}

function does(memo: Parameters<typeof doing>[0]): string {
  return memo.status === 'paused' ? 'paused, and `ralph resume` resumes it' : doing(memo);
}
