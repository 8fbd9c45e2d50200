import { pauseText } from '../describe/control-words.ts';
import { receiptLines } from '../describe/receipt-words.ts';
import type { Deployment } from '../connect/deployment.ts';
import { showRound } from '../view/show-round.ts';
import type { TemporalRun } from '../view/temporal-run.ts';
import { type Asked, controlRun, runEnded } from './control-run.ts';

const APPLIED_WITHIN_MS = 15_000;
/** Time to end the round after its grace period, prove it and commit. A grace period of minutes is not waited for. */
const DISPOSED_WITHIN_MS = 120_000;

const CHECK_ENDED = 'the current check was ended; it is repeated after the resume';

/**
 * Pause a run when its round ends, or at once. @returns what came of it, and the proof of what was ended. Throws
 * RalphError.
 */
export async function pauseRun(
  asked: Omit<Asked, 'done'> & { now: boolean },
): Promise<{ text: string; disposal: readonly string[] }> {
  const { now, deployment } = asked;
  const order = { ...asked, done: 'paused' };
  const { before, after } = await controlRun(order, () => ({
    control: { kind: 'pause', now },
    applied: ({ memo }) => memo !== null && memo.controls.pause && (!now || !canBeEnded(memo.status)),
    withinMs: now ? DISPOSED_WITHIN_MS : APPLIED_WITHIN_MS,
  }));
  if (after.status !== 'open') throw await runEnded(order, after.memo?.status ?? after.status);
  const text = pauseText(after, now);
  if (!now) return { text, disposal: [] };
  const wasChecking = before.memo !== null && before.memo.status === 'checking';
  return { text, disposal: wasChecking ? [CHECK_ENDED] : await disposalOf(deployment, after) };
}

/** Whether a pause ends what the run is doing. */
const canBeEnded = (status: string): boolean => ['running', 'checking', 'waiting'].includes(status);

/** How the pause ended the attempt, with the proof; nothing if it ended none. */
async function disposalOf(deployment: Deployment, { runId, memo }: TemporalRun): Promise<string[]> {
  if (memo === null || memo.status !== 'paused' || memo.round === 0) return [];
  const last = (await showRound(deployment, runId, memo.round)).attempts.at(-1);
  const outcome = last !== undefined && last.outcome.kind === 'there' ? last.outcome.record : null;
  if (outcome === null || outcome.kind !== 'interrupted' || outcome.by !== 'paused') return [];
  return [`round ${outcome.round}, attempt ${outcome.attempt}: ended, its work kept`, ...receiptLines(outcome.receipt)];
}
