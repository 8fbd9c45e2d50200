import { Command } from 'commander';
import { ACTIONS } from '../../client/describe/action-words.ts';
import type { CommandContext } from '../context.ts';

export function pauseCommand(context: CommandContext): Command {
  const { terminal, env } = context;
  return new Command('pause')
    .description(ACTIONS.pause)
    .argument('<run>', 'id of the run')
    .option('--now', ACTIONS['pause --now'])
    .action(async (runId: string, flags: { now?: boolean }) => {
      const { openDeployment } = await import('../../client/connect/deployment.ts');
      const { pauseRun } = await import('../../client/control/pause-run.ts');
      const deployment = await openDeployment(env);
      const onNote = (text: string): void => terminal.note(text);
      const { text, disposal } = await pauseRun({ deployment, runId, onNote, now: flags.now === true });
      terminal.out(text);
      for (const line of disposal) terminal.out(`  ${line}`);
    });
}
