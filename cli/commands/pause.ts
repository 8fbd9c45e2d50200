import { Command } from 'commander';
import type { Deployment } from '../../client/connect/deployment.ts';
import type { TemporalRun } from '../../client/view/temporal-run.ts';
import type { CommandContext } from '../context.ts';
import { receiptLines } from '../text/receipt-text.ts';
import { endedMeanwhile, pauseText } from '../text/steer-text.ts';
import { steerLive } from '../follow/steer.ts';

const HEARD_WITHIN_MS = 15_000;
/** Killing after the grace, the proof, the commit. A grace of minutes is not waited for: the pause stands. */
const DISPOSED_WITHIN_MS = 120_000;

const CHECK_ENDED = 'the check under way was disposed of; it is done anew once the run is resumed';

export function pauseCommand(context: CommandContext): Command {
  const { terminal, env } = context;
  return new Command('pause')
    .description('let a run stand still when the round under way has ended, until it is resumed')
    .argument('<run>', 'id of the run')
    .option('--now', 'do not wait for the round: dispose of it, keep its work, attempt it again when resumed')
    .action(async (runId: string, flags: { now?: boolean }) => {
      const { openDeployment } = await import('../../client/connect/deployment.ts');
      const deployment = await openDeployment(env);
      const now = flags.now === true;
      const { before, after } = await steerLive({ context, deployment, runId, done: 'paused' }, () => ({
        steer: { kind: 'pause', now },
        obeyed: ({ memo }) => memo !== null && memo.steering.pause && (!now || !canBeEnded(memo.status)),
        withinMs: now ? DISPOSED_WITHIN_MS : HEARD_WITHIN_MS,
      }));
      if (after.status !== 'open') {
        terminal.note(endedMeanwhile(runId));
        return;
      }
      terminal.out(pauseText(after, now));
      if (!now) return;
      const wasChecking = before.memo !== null && before.memo.status === 'checking';
      const lines = wasChecking ? [CHECK_ENDED] : await disposalOf(deployment, after);
      for (const line of lines) terminal.out(`  ${line}`);
    });
}

/** Whether a pause ends what the run is doing before it stands still. */
const canBeEnded = (status: string): boolean => ['running', 'checking', 'waiting'].includes(status);

/** What ended the attempt that a pause ended, and what proves it; nothing where it ended none. */
async function disposalOf(deployment: Deployment, { runId, memo }: TemporalRun): Promise<string[]> {
  if (memo === null || memo.status !== 'paused' || memo.round === 0) return [];
  const { attemptsOf } = await import('../../client/view/show-round.ts');
  const last = (await attemptsOf(deployment, runId, memo.round)).at(-1);
  const outcome = last === undefined ? null : last.outcome;
  if (outcome === null || outcome.kind !== 'interrupted' || outcome.by !== 'paused') return [];
  return [`round ${outcome.round}, attempt ${outcome.attempt}: ended, its work kept`, ...receiptLines(outcome.receipt)];
}
