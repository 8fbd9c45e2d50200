import { Command } from 'commander';
import { ACTIONS } from '../../client/describe/action-words.ts';
import type { CommandContext } from '../context.ts';

export function retryCommand(context: CommandContext): Command {
  const { terminal, env, now } = context;
  return new Command('retry')
    .description(ACTIONS.retry)
    .argument('<run>', 'id of the run')
    .action(async (runId: string) => {
      const { openDeployment } = await import('../../client/connect/deployment.ts');
      const { retryRun } = await import('../../client/control/retry-run.ts');
      const deployment = await openDeployment(env);
      terminal.out(await retryRun({ deployment, runId, onNote: (text) => terminal.note(text) }, now));
    });
}
