import type { FaultCode } from '../../schemas/round/fault.ts';

/** The fault that an HTTP status of a model's API stands for, where nothing more exact is known. */
export function faultOfStatus(status: number): FaultCode {
  if (status === 401 || status === 403) return 'bad-credentials';
  if (status === 402) return 'no-credit';
  if (status === 404) return 'agent-unavailable';
  if (status === 408) return 'network';
  if (status === 413) return 'context-too-long';
  if (status === 429) return 'rate-limited';
  if (status >= 500) return 'model-overloaded';
  return 'agent-crashed';
}
