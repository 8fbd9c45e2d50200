import type { RunView } from './run-view.ts';

/** Whether something of the run may still be alive: disposal was tried and could not be proved. */
export function isDisposalUnproved({ receipt, ending }: Pick<RunView, 'receipt' | 'ending'>): boolean {
  if (receipt !== null && receipt.proof === 'unproved') return true;
  return ending !== null && ending.status === 'round-failed' && ending.fault.code === 'disposal-unproved';
}
