import type { RoundRow } from '../../../client/view/round-view.ts';

/** Whether a round was rejected, blocked, or ended by a fault. */
export function isTrouble(row: RoundRow): boolean {
  if (row.kind === 'running') return false;
  const { outcome } = row;
  if (outcome.kind === 'complete') return outcome.verdict.kind === 'rejected';
  return outcome.kind === 'fault' || outcome.kind === 'blocked' || row.attempts > row.interrupted + 1;
}
