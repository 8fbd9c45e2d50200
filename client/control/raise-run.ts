import type { Ceilings } from '../../schemas/budget/budget.ts';
import { raiseCeilings } from '../../schemas/budget/ceilings.ts';
import { raiseText, whenItCounts } from '../describe/raise-words.ts';
import { withChain } from '../resume/chain.ts';
import { showRun } from '../view/show-run.ts';
import { type Asked, controlRun, runEnded } from './control-run.ts';
import { type Additions, areRaised, noteRaise, raiseBudgets, raisesSent } from './raise-budgets.ts';

/** `added`: what rose, in words; null: nothing. `notes`: what the user must know of it. */
export interface Raised {
  readonly added: string | null;
  readonly unlimited: readonly string[];
  /** When it counts; null: nothing rose. */
  readonly counts: string | null;
}

const WITHIN_MS = 15_000;

/**
 * Add to the budgets of a live run. One command at a time changes a chain, so that what two commands add at the same
 * moment both counts. Throws RalphError.
 */
export async function raiseRun(asked: Omit<Asked, 'done'>, added: Additions): Promise<Raised> {
  // A run that nobody knows gets no lock.
  await showRun(asked.deployment, asked.runId);
  return await withChain(asked.deployment.ralphHome, asked.runId, () =>
    raiseAlone({ ...asked, done: 'given more' }, added),
  );
}

async function raiseAlone(asked: Asked, added: Additions): Promise<Raised> {
  const { deployment, runId } = asked;
  const { ralphHome } = deployment;
  const sent = await raisesSent(ralphHome, runId);
  const raised: { from: Ceilings; to: Ceilings; unlimited: readonly string[] }[] = [];
  const { after } = await controlRun(asked, ({ memo: known }) => {
    if (known === null) throw new Error(`the memo of ${runId} is missing`);
    const from = raiseCeilings(known, sent);
    const { raise: control, unlimited } = raiseBudgets(from, added, deployment.settings);
    const to = raiseCeilings(from, control);
    raised.push({ from, to, unlimited });
    return {
      control,
      sent: () => noteRaise(ralphHome, runId, to),
      applied: ({ memo }) => memo !== null && areRaised(memo, to),
      withinMs: WITHIN_MS,
    };
  });
  const { memo } = after;
  if (after.status !== 'open' || memo === null) throw await runEnded(asked, memo?.status ?? after.status);
  const texts = raised.map(({ from, to }) => raiseText(from, to)).filter((text) => text !== '');
  return {
    added: texts.length === 0 ? null : texts.join(', '),
    unlimited: raised.flatMap(({ unlimited }) =>
      unlimited.map(
        (budget) => `${runId} has no ${budget === 'tokens' ? 'token' : budget} limit, so there is nothing to add to.`,
      ),
    ),
    counts:
      texts.length === 0
        ? null
        : whenItCounts(
            runId,
            raised.every(({ to }) => areRaised(memo, to)),
          ),
  };
}
