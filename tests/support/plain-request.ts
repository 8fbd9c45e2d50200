import { noBudgets } from '../../schemas/budget.ts';
import { strictGates } from '../../schemas/gate.ts';
import type { RunRequest } from '../../schemas/run.ts';

/** The fields of a request that asks for nothing beyond rounds. */
export const plainRequest: Pick<
  RunRequest,
  'gates' | 'gatePolicy' | 'reviewer' | 'fallbackAgent' | 'budgets' | 'predecessor'
> = { gates: [], gatePolicy: strictGates, reviewer: null, fallbackAgent: null, budgets: noBudgets, predecessor: null };
