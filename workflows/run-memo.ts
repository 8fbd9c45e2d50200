import { setCurrentDetails, upsertMemo } from '@temporalio/workflow';
import { nothingSpent } from '../schemas/budget.ts';
import type { LoopState } from '../schemas/loop.ts';
import { MEMO_KEY, type RunMemo } from '../schemas/memo.ts';
import type { RunRequest } from '../schemas/run.ts';
import { agentTitle, objectiveTitle } from '../schemas/titles.ts';
import type { Steered } from './steered.ts';

export type Remember = (state: LoopState | null, change: Pick<RunMemo, 'status'> & Partial<RunMemo>) => void;

/** Keeps the run's memo: what `list` and `status` show while nobody is there to answer a query. */
export function memoOf(request: RunRequest, steered: Pick<Steered, 'ceilings'>): Remember {
  return (state, change) => {
    const memo: RunMemo = {
      title: objectiveTitle(request.objective),
      repository: request.repository.path,
      agent: agentTitle(request.agent),
      hostId: request.hostId,
      round: state === null ? 0 : state.rounds,
      maxRounds: steered.ceilings.maxRounds,
      budgets: steered.ceilings.budgets,
      spent: state === null ? nothingSpent : state.spent,
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
}
