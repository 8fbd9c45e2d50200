import { setCurrentDetails, upsertMemo } from '@temporalio/workflow';
import { nothingSpent } from '../schemas/budget/budget.ts';
import type { LoopState } from '../schemas/loop/loop.ts';
import { MEMO_KEY, type RunMemo } from '../schemas/loop/memo.ts';
import type { RunRequest } from '../schemas/run/run.ts';
import { agentTitle, objectiveTitle } from '../schemas/run/titles.ts';
import { knownWork, type Stand } from './stand.ts';
import type { Steered } from './steered.ts';

type Change = Pick<RunMemo, 'status'> & Partial<RunMemo>;
export type Remember = (state: LoopState | null, change: Change) => void;

/**
 * Keeps the run's memo: what `list` and `status` show while nobody is there to answer a query. It is written at every
 * turn of the loop, and when a person has told the run something.
 */
export function memoOf(request: RunRequest, steered: Steered, stand: Stand): Remember {
  let last: readonly [LoopState | null, Change] | null = null;
  const remember: Remember = (state, change) => {
    last = [state, change];
    const { pause, stop } = steered;
    const memo: RunMemo = {
      title: objectiveTitle(request.objective),
      repository: request.repository.path,
      agent: agentTitle(request.agent),
      hostId: request.hostId,
      round: state === null ? 0 : state.rounds,
      maxRounds: steered.ceilings.maxRounds,
      budgets: steered.ceilings.budgets,
      spent: state === null ? nothingSpent : state.spent,
      known: knownWork(state, stand),
      steering: { pause, stop },
      commit: state === null ? null : state.commit,
      ref: state === null ? null : state.ref,
      until: null,
      why: null,
      receipt: null,
      ...change,
    };
    upsertMemo({ [MEMO_KEY]: memo });
    const details = [`**${memo.status}**`, `round ${memo.round} of ${memo.maxRounds}`, memo.why, memo.until];
    setCurrentDetails(details.filter((part) => part !== null).join(' · '));
  };
  steered.onChange = () => {
    if (last !== null) remember(...last);
  };
  return remember;
}
