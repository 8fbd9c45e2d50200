import { noBudgets } from '../../schemas/budget.ts';
import { strictGates } from '../../schemas/gate.ts';
import { nothingHandedOn } from '../../schemas/handed-on.ts';
import type { Predecessor, RunRequest } from '../../schemas/run.ts';

/** The fields of a request that asks for nothing beyond rounds. */
export const plainRequest: Pick<
  RunRequest,
  'gates' | 'gatePolicy' | 'reviewer' | 'fallbackAgent' | 'budgets' | 'predecessor'
> = { gates: [], gatePolicy: strictGates, reviewer: null, fallbackAgent: null, budgets: noBudgets, predecessor: null };

/** A run to go on from that leaves nothing but a commit. */
export const plainPredecessor = (runId: string, commit: string): Predecessor => ({
  runId,
  root: runId,
  commit,
  ...nothingHandedOn,
  baseline: null,
  claim: null,
  recent: [],
});
