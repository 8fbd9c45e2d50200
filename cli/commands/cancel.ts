import { Command } from 'commander';
import type { Deployment } from '../../client/connect/deployment.ts';
import { isDisposalUnproved, type RunView, withStatus } from '../../client/view/run-view.ts';
import { ACTIONS } from '../../client/describe/action-words.ts';
import type { CommandContext } from '../context.ts';
import { DISPOSAL_UNPROVED } from '../exit-codes.ts';
import { detachable, followRun } from '../follow/follow-run.ts';
import { json } from '../terminal/json.ts';
import { runEnd } from '../pages/run-end.ts';

export function cancelCommand(context: CommandContext): Command {
  const { terminal, env } = context;
  return new Command('cancel')
    .description(ACTIONS.cancel)
    .argument('<run>', 'id of the run')
    .option('-r, --reason <text>', 'the reason, for the record')
    .option('--json', 'print the run as JSON at the end, progress on stderr')
    .action(async (runId: string, flags: { reason?: string; json?: boolean }) => {
      const { openDeployment } = await import('../../client/connect/deployment.ts');
      const { cancelRun } = await import('../../client/control/cancel-run.ts');
      const deployment = await openDeployment(env);
      const asJson = flags.json === true;
      const cancelled = await cancelRun({
        deployment,
        runId,
        reason: flags.reason ?? null,
        onNote: (text) => terminal.note(text),
      });
      if (cancelled.kind === 'ended') {
        terminal.note(cancelled.text);
        await printEnded({ context, deployment, run: cancelled.run, asJson });
        return;
      }
      const { link } = cancelled;
      try {
        const follow = { terminal, link, deployment, runId, past: false, aside: asJson, ending: true };
        const run = await detachable((detached) => followRun({ ...follow, detached }));
        if (run === null)
          terminal.note(`The cancel was requested, and ${runId} ends by itself. \`ralph show ${runId}\` shows how.`);
        else await printEnded({ context, deployment, run, asJson });
      } finally {
        await link.close();
      }
    });
}

async function printEnded(how: {
  context: CommandContext;
  deployment: Deployment;
  run: RunView;
  asJson: boolean;
}): Promise<void> {
  const { context, deployment, run, asJson } = how;
  const { terminal, exitWith } = context;
  if (isDisposalUnproved(run.phase)) exitWith(DISPOSAL_UNPROVED);
  if (asJson) {
    terminal.out(json(withStatus(run)));
    return;
  }
  const { resumeAdvice } = await import('../../client/resume/resume-advice.ts');
  const advice = await resumeAdvice(deployment, run);
  terminal.out(runEnd(run, { advice, paint: terminal.paint }).join('\n'));
}
