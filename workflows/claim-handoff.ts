import { fitHandoff } from '../schemas/round/fit-handoff.ts';
import type { Claim, Handoff } from '../schemas/round/report.ts';

/**
 * A claim of completion that does not end the run, turned into the report that the next round receives: what the agent
 * said, and as next steps why that was not enough. Always within `maxChars`, what is cut marked as cut.
 */
export function claimHandoff(claim: Claim, steps: readonly string[], maxChars: number): Handoff {
  const { summary, evidence } = claim;
  const whole: Handoff = { status: 'continue', summary, evidence, nextSteps: [...steps], blocker: '' };
  return fitHandoff(whole, { whole: 0, maxChars });
}

/** A reviewer's reason, as a next step. */
export const reviewReason = (reason: string): string => `A reviewer refused the claim of completion: ${reason}`;

/** How far the check of a claim came that nothing refused. */
export type ClaimStand = 'unchecked' | 'gates-passed' | 'accepted';

const STANDS = {
  unchecked: 'the engine has not checked it to its end',
  'gates-passed': "the engine's gates passed on it, but the reviewer who was to judge it did not come to a verdict",
  accepted: "the engine's check accepted it, but the run was taken back or went wrong after that",
} as const satisfies Record<ClaimStand, string>;

/** A next step that says so. */
export const claimStep = (stand: ClaimStand): string =>
  `Completion was claimed, and ${STANDS[stand]}: confirm in the workspace what is said of it, and find what is left of the objective.`;
