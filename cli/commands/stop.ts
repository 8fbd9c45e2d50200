import { Command } from 'commander';
import { ACTIONS } from '../../client/describe/action-words.ts';
import type { CommandContext } from '../context.ts';
import { runEnd } from '../pages/run-end.ts';
import { stopText } from '../../client/describe/control-words.ts';

export function stopCommand(context: CommandContext): Command {
  const { terminal, env } = context;
  return new Command('stop')
    .description(ACTIONS.stop)
    .argument('<run>', 'id of the run')
    .action(async (runId: string) => {
      const { openDeployment } = await import('../../client/connect/deployment.ts');
      const { showRun } = await import('../../client/view/show-run.ts');
      const deployment = await openDeployment(env);
      const { stopRun } = await import('../../client/control/stop-run.ts');
      const after = await stopRun({ deployment, runId, onNote: (text) => terminal.note(text) });
      if (after.status === 'open') terminal.out(stopText(after));
      else {
        const { resumeAdvice } = await import('../../client/resume/resume-advice.ts');
        const run = await showRun(deployment, runId);
        terminal.out(runEnd(run, { advice: await resumeAdvice(deployment, run), paint: terminal.paint }).join('\n'));
      }
    });
}
