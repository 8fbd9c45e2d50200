import { noBudgets } from '../../schemas/budget/budget.ts';
import { strictGates } from '../../schemas/verification/gate.ts';
import { type PreviousRun, RunRequest } from '../../schemas/run/run.ts';
import { AT } from './records.ts';

/** The fields of a request that asks for nothing beyond rounds. */
export const plainRequest: Pick<
  RunRequest,
  'gates' | 'gatePolicy' | 'reviewer' | 'fallbackAgent' | 'budgets' | 'previous' | 'ignore'
> = {
  gates: [],
  gatePolicy: strictGates,
  reviewer: null,
  fallbackAgent: null,
  budgets: noBudgets,
  previous: null,
  ignore: '',
};

/** A whole request; `more`: what matters to the test. */
export const wholeRequest = (more: Partial<RunRequest> | { limits: { maxRounds: number } } = {}): RunRequest =>
  RunRequest.parse({
    runId: 'r',
    objective: 'o',
    objectiveHash: 'f'.repeat(64),
    repository: { path: '/r', ref: 'HEAD', commit: 'a'.repeat(40) },
    agent: { provider: 'command', command: 'agent', model: null },
    sandbox: { level: 'workspace-write', network: true, readable: [] },
    setup: null,
    ...plainRequest,
    limits: {},
    identity: { name: 'n', email: 'e' },
    hostId: 'a'.repeat(16),
    requestedAt: AT,
    ...more,
  });

/** A run to continue that leaves nothing but a commit. */
export const plainPrevious = (runId: string, commit: string): PreviousRun => ({
  runId,
  root: runId,
  commit,
  pending: null,
});
