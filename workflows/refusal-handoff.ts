import { fitHandoff } from '../schemas/fit-handoff.ts';
import type { Handoff, Report } from '../schemas/report.ts';

type Claim = Extract<Report, { status: 'complete' }>;

/**
 * A refused claim of completion, turned into the report that the next round receives: what the agent said, and as next
 * steps why that was not enough. Always within `maxChars`, what is cut marked as cut.
 */
export function refusalHandoff(claim: Claim, reasons: readonly string[], maxChars: number): Handoff {
  const { summary, evidence } = claim;
  const whole: Handoff = { status: 'continue', summary, evidence, nextSteps: [...reasons], blocker: '' };
  return fitHandoff(whole, { whole: 0, maxChars });
}

/** A reviewer's reason, as a next step. */
export const reviewReason = (reason: string): string => `A reviewer refused the claim of completion: ${reason}`;
