import { Command } from 'commander';
import type { CommandContext } from '../context.ts';

export function pauseCommand(context: CommandContext): Command {
  const { terminal, env } = context;
  return new Command('pause')
    .description('pause a run after its current round, until it is resumed')
    .argument('<run>', 'id of the run')
    .option('--now', 'end the current round at once and keep its work; it is attempted again after the resume')
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
