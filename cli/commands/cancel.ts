import { Command } from 'commander';
import type { Deployment } from '../../client/connect/deployment.ts';
import { isDisposalUnproved, type RunView, withStatus } from '../../client/view/run-view.ts';
import type { CommandContext } from '../context.ts';
import { DISPOSAL_UNPROVED } from '../exit-codes.ts';
import { detachable, followRun } from '../follow/follow-run.ts';
import { json } from '../terminal/json.ts';
import { runEnd } from '../pages/run-end.ts';

export function cancelCommand(context: CommandContext): Command {
  const { terminal, env } = context;
  return new Command('cancel')
    .description('end a run now; return when its processes are gone, and print the proof')
    .argument('<run>', 'id of the run')
    .option('-r, --reason <text>', 'the reason, for the record')
    .option('--json', 'print the run as JSON at the end, progress on stderr')
    .action(async (runId: string, flags: { reason?: string; json?: boolean }) => {
      const { openDeployment } = await import('../../client/connect/deployment.ts');
      const { showRun } = await import('../../client/view/show-run.ts');
      const deployment = await openDeployment(env);
      const known = await showRun(deployment, runId);
      const asJson = flags.json === true;
      if (known.phase.kind === 'ended') {
        terminal.note(`${runId} has already ended; nothing was cancelled.`);
        await printEnded({ context, deployment, run: known, asJson });
        return;
      }
      const { releaseReserve, RESERVE_BYTES } = await import('../../host/reserve.ts');
      if (await releaseReserve(deployment.ralphHome)) {
        const mib = RESERVE_BYTES / 1024 ** 2;
        terminal.note(
          `The disk of ${deployment.ralphHome} is full. Released the ${mib} MiB that are kept for a cancel.`,
        );
      }
      const { ensureServices } = await import('../../client/connect/ensure-services.ts');
      const { requestCancel } = await import('../../client/control/controls.ts');
      const link = await ensureServices(deployment, {
        worker: 'where-embedded',
        // A worker that starts now would attempt a lost round again before it heard of the cancel.
        first: (reached) => requestCancel(reached, runId, flags.reason === undefined ? null : flags.reason),
        onNote: (text) => terminal.note(text),
      });
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
