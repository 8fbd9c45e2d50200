import { Command } from 'commander';
import { numberFromZero } from '../arguments/numbers.ts';
import { withStatus } from '../../client/view/run-view.ts';
import type { CommandContext } from '../context.ts';
import { json } from '../terminal/json.ts';
import { rollbackLines } from '../text/chain-rows.ts';

export function rollbackCommand({ terminal, env }: CommandContext): Command {
  return new Command('rollback')
    .description("roll an ended run back to a round's checkpoint; a git ref keeps the later rounds")
    .argument('<run>', 'id of the run')
    .requiredOption('--to <round>', 'the last round to keep; 0: none', numberFromZero)
    .option('--json', 'print the run as JSON')
    .action(async (runId: string, { to, json: asJson }: { to: number; json?: boolean }) => {
      const { openDeployment } = await import('../../client/connect/deployment.ts');
      const { showRun } = await import('../../client/view/show-run.ts');
      const { rollBackRun } = await import('../../client/resume/roll-back-run.ts');
      const deployment = await openDeployment(env);
      const rollback = await rollBackRun(deployment, runId, to);
      const run = await showRun(deployment, runId);
      if (asJson === true) {
        terminal.out(json(withStatus(run)));
        return;
      }
      const { resumeAdvice } = await import('../../client/resume/resume-advice.ts');
      const advice = await resumeAdvice(deployment, run);
      terminal.out(rollbackLines(run, { rollback, advice }).join('\n'));
    });
}
