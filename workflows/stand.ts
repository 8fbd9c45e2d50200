import type { KnownWork, KnownChecks } from '../schemas/loop/known-work.ts';
import type { LoopState } from '../schemas/loop/loop.ts';

/** Where a run stands at any moment: what a cancel or an error finds, and what the user said just before. */
export interface Stand {
  /** Null before the workspace is there. */
  state: LoopState | null;
  /** The round that something is done about; 0 before the first. */
  round: number;
  /** How far the checks of the last claim, or those before round 1, are counted; null: there were none. */
  checks: KnownChecks | null;
  cancelReason: string | null;
}

/** What of the run's work the loop has counted. @param state null before the workspace is there */
export const knownWork = (state: LoopState | null, { checks }: Stand): KnownWork => ({
  attempts: state === null ? null : { round: state.rounds + 1, afterAttempt: state.faults.afterAttempt },
  checks,
});

/** Note the gates or the reviews of a round that are counted. */
export function noteChecks(stand: Stand, round: number, counted: Partial<Omit<KnownChecks, 'round'>>): void {
  const before =
    stand.checks !== null && stand.checks.round === round ? stand.checks : { afterCheck: 0, afterReview: 0 };
  stand.checks = { ...before, ...counted, round };
}
