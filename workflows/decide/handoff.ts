import type { LoopState } from '../../schemas/loop/state.ts';
import { fitHandoff } from '../../schemas/round/fit-handoff.ts';
import type { HandoffSource } from '../../schemas/round/received.ts';
import type { Handoff, Report } from '../../schemas/round/report.ts';

/** The state with what the next round receives, in place of everything that was handed on before. */
export const handOn = (state: LoopState, handoff: Handoff, handoffSource: HandoffSource): LoopState => ({
  ...state,
  handoff,
  handoffSource,
  userNotes: [],
});

/**
 * A report that does not end the run, or that a follow-up run may continue from, turned into what the next round
 * receives: what the agent said, and other next steps. Always within `maxChars`; what is cut is marked.
 */
export function handoffOf(
  { summary, evidence }: Pick<Report, 'summary' | 'evidence'>,
  steps: readonly string[],
  maxChars: number,
): Handoff {
  const whole: Handoff = { status: 'continue', summary, evidence, nextSteps: [...steps], blocker: '' };
  return fitHandoff(whole, { whole: 0, maxChars });
}

/** A reviewer's reason, as a next step. */
export const reviewReason = (reason: string): string => `A reviewer rejected the completion claim: ${reason}`;

/** How far the check of a completion claim came that nothing rejected. */
export type ClaimCheck = 'unchecked' | 'gates-passed' | 'accepted';

const CHECKS = {
  unchecked: 'the engine did not finish checking it',
  'gates-passed': "the engine's gates passed, but the reviewer did not come to a verdict",
  accepted: "the engine's check accepted it, but the run was rolled back or failed after that",
} as const satisfies Record<ClaimCheck, string>;

/** A next step that says so. */
export const claimStep = (check: ClaimCheck): string =>
  `An agent claimed completion, and ${CHECKS[check]}. Confirm in the workspace what it says, and find what is left of the objective.`;

/** What the next round has to confirm first where the agent before was blocked. */
export const blockerStep = (blocker: string): string => `Confirm that this is resolved: ${blocker}`;
