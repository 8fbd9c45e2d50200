import { Command } from 'commander';
import type { Deployment } from '../../client/connect/deployment.ts';
import type { TemporalRun } from '../../client/view/temporal-run.ts';
import type { CommandContext } from '../context.ts';
import { receiptLines } from '../text/receipt-text.ts';
import { pauseText } from '../text/control-text.ts';

const APPLIED_WITHIN_MS = 15_000;
/** Time to end the round after its grace period, prove it and commit. A grace period of minutes is not waited for. */
const DISPOSED_WITHIN_MS = 120_000;

const CHECK_ENDED = 'the current check was ended; it is repeated after the resume';

export function pauseCommand(context: CommandContext): Command {
  const { terminal, env } = context;
  return new Command('pause')
    .description('pause a run after its current round, until it is resumed')
    .argument('<run>', 'id of the run')
    .option('--now', 'end the current round at once and keep its work; it is attempted again after the resume')
    .action(async (runId: string, flags: { now?: boolean }) => {
      const { openDeployment } = await import('../../client/connect/deployment.ts');
      const deployment = await openDeployment(env);
      const now = flags.now === true;
      const { controlRun, runEnded } = await import('../../client/control/control-run.ts');
      const asked = { deployment, runId, done: 'paused', onNote: (text: string): void => terminal.note(text) };
      const { before, after } = await controlRun(asked, () => ({
        control: { kind: 'pause', now },
        applied: ({ memo }) => memo !== null && memo.controls.pause && (!now || !canBeEnded(memo.status)),
        withinMs: now ? DISPOSED_WITHIN_MS : APPLIED_WITHIN_MS,
      }));
      if (after.status !== 'open') throw await runEnded(asked, after.memo?.status ?? after.status);
      terminal.out(pauseText(after, now));
      if (!now) return;
      const wasChecking = before.memo !== null && before.memo.status === 'checking';
      const lines = wasChecking ? [CHECK_ENDED] : await disposalOf(deployment, after);
      for (const line of lines) terminal.out(`  ${line}`);
    });
}

/** Whether a pause ends what the run is doing. */
const canBeEnded = (status: string): boolean => ['running', 'checking', 'waiting'].includes(status);

/** How the pause ended the attempt, with the proof; nothing if it ended none. */
async function disposalOf(deployment: Deployment, { runId, memo }: TemporalRun): Promise<string[]> {
  if (memo === null || memo.status !== 'paused' || memo.round === 0) return [];
  const { showRound } = await import('../../client/view/show-round.ts');
  const last = (await showRound(deployment, runId, memo.round)).attempts.at(-1);
  const outcome = last !== undefined && last.outcome.kind === 'there' ? last.outcome.record : null;
  if (outcome === null || outcome.kind !== 'interrupted' || outcome.by !== 'paused') return [];
  return [`round ${outcome.round}, attempt ${outcome.attempt}: ended, its work kept`, ...receiptLines(outcome.receipt)];
}
