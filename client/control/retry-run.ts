import { ralphError } from '../../schemas/errors/index.ts';
import { doing, retryText } from '../describe/control-words.ts';
import { type Asked, controlRun, runEnded } from './control-run.ts';

const WITHIN_MS = 15_000;

/** End the wait of a run, and try again now. @returns what came of it. Throws RalphError. */
export async function retryRun(asked: Omit<Asked, 'done'>, now: () => number): Promise<string> {
  const order = { ...asked, done: 'retried' };
  const { before, after } = await controlRun(order, ({ memo: known }) => {
    if (known === null || known.status !== 'waiting') {
      throw ralphError('run-not-waiting', {
        runId: asked.runId,
        does: known === null ? 'a run of another version' : does(known),
      });
    }
    return {
      control: { kind: 'retry' },
      applied: ({ memo }) => memo !== null && (memo.status !== 'waiting' || memo.until !== known.until),
      withinMs: WITHIN_MS,
    };
  });
  const until = before.memo === null ? null : before.memo.until;
  if (after.status !== 'open') throw await runEnded(order, after.memo?.status ?? after.status);
  return retryText(after, until, now());
}

function does(memo: Parameters<typeof doing>[0]): string {
  return memo.status === 'paused' ? 'paused, and `ralph resume` resumes it' : doing(memo);
}
