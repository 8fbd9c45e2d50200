import { z } from 'zod';
import { BudgetName } from '../budget/budget.ts';

/**
 * Everything of its own that can end an attempt without a report; for what ends it from outside see `Interruption`.
 * Closed: `workflows/decide/fault-policy.ts` says what each one costs.
 */
export const FaultCode = z.enum([
  'report-missing',
  'report-invalid',
  'report-oversized',
  'agent-crashed',
  'budget-spent',
  'usage-unknown',
  'agent-unavailable',
  'setup-failed',
  'round-timeout',
  'idle-timeout',
  'model-overloaded',
  'network',
  'rate-limited',
  'usage-limited',
  'bad-credentials',
  'no-credit',
  'refusal',
  'context-too-long',
  'disk-full',
  'machine-short',
  'workspace-broken',
  'disposal-unproved',
  'engine-error',
]);
export type FaultCode = z.infer<typeof FaultCode>;

/**
 * What went wrong in an attempt, in one paragraph. `resetAt`: when a stated limit ends, ISO 8601, else null. `budget`: of
 * `budget-spent`, which. `status`: the HTTP status that the model's server rejected the request with. `login`: of
 * `bad-credentials`, whether a login of the agent's program was rejected, not a key.
 */
export const Fault = z.strictObject({
  code: FaultCode,
  message: z.string(),
  resetAt: z.iso.datetime().nullable(),
  budget: BudgetName.optional(),
  status: z.int().optional(),
  login: z.boolean().optional(),
});
export type Fault = z.infer<typeof Fault>;

/**
 * What ends an attempt from outside. Never a fault of the agent's, and never charged to the run. `disowned`: Temporal
 * no longer knows the attempt, as the run was terminated or another attempt took over. `unrecorded`: how it ended could
 * not be written down, as the disk was full; Temporal's history has it.
 */
export const Interruption = z.enum(['cancelled', 'paused', 'disowned', 'worker-stopped', 'worker-lost', 'unrecorded']);
export type Interruption = z.infer<typeof Interruption>;
