import { Command } from 'commander';
import type { CommandContext } from '../context.ts';
import { runEnd } from '../pages/run-end.ts';
import { stopText } from '../text/control-text.ts';

const WITHIN_MS = 15_000;
/** A paused or waiting run ends at once, when its workspace is released. */
const ENDS_WITHIN_MS = 30_000;

export function stopCommand(context: CommandContext): Command {
  const { terminal, env } = context;
  return new Command('stop')
    .description('end a run after its current round')
    .argument('<run>', 'id of the run')
    .action(async (runId: string) => {
      const { openDeployment } = await import('../../client/connect/deployment.ts');
      const { showRun } = await import('../../client/view/show-run.ts');
      const deployment = await openDeployment(env);
      const { controlRun } = await import('../../client/control/control-run.ts');
      const onNote = (text: string): void => terminal.note(text);
      const { after } = await controlRun({ deployment, runId, done: 'stopped', onNote }, (before) => {
        const isIdle = before.memo !== null && ['paused', 'waiting'].includes(before.memo.status);
        return {
          control: { kind: 'stop' },
          applied: ({ memo }) => !isIdle && memo !== null && memo.controls.stop,
          withinMs: isIdle ? ENDS_WITHIN_MS : WITHIN_MS,
        };
      });
      if (after.status === 'open') terminal.out(stopText(after));
      else {
        const { resumeAdvice } = await import('../../client/resume/resume-advice.ts');
        const run = await showRun(deployment, runId);
        terminal.out(runEnd(run, { advice: await resumeAdvice(deployment, run), paint: terminal.paint }).join('\n'));
      }
    });
}
