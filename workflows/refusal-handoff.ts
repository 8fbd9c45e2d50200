import { reportChars, type Handoff, type Report } from '../schemas/report.ts';

type Claim = Extract<Report, { status: 'complete' }>;

const MARK = ' [shortened]';

/**
 * A refused claim of completion, turned into the report that the next round receives: what the agent said, and as next
 * steps why that was not enough. Always within `maxChars`: the reasons' ends go first, then the agent's evidence.
 */
export function refusalHandoff(claim: Claim, reasons: readonly string[], maxChars: number): Handoff {
  const handoff = (evidence: readonly string[], nextSteps: readonly string[]): Handoff => ({
    status: 'continue',
    summary: claim.summary,
    evidence: [...evidence],
    nextSteps: [...nextSteps],
    blocker: '',
  });
  const whole = handoff(claim.evidence, reasons);
  if (reportChars(whole) <= maxChars) return whole;
  for (const evidence of [claim.evidence, []]) {
    const most = longestFit(reasons, (shortened) => reportChars(handoff(evidence, shortened)) <= maxChars);
    if (most !== null) return handoff(evidence, most);
  }
  // The claim itself was within the cap, so a shorter summary and a short reason are as well.
  for (let most = 200; ; most = Math.floor(most / 2)) {
    const bare = { ...handoff([], [shorten(reasons[0] ?? 'refused', most)]), summary: shorten(claim.summary, most) };
    if (most <= 1 || reportChars(bare) <= maxChars) return bare;
  }
}

/** All reasons cut to the greatest common length that fits; null where not even a short beginning does. */
function longestFit(reasons: readonly string[], fits: (reasons: string[]) => boolean): string[] | null {
  const cut = (most: number): string[] => reasons.map((reason) => shorten(reason, most));
  const shortest = 120;
  if (!fits(cut(shortest))) return null;
  let low = shortest;
  let high = Math.max(...reasons.map((reason) => reason.length));
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(cut(middle))) low = middle;
    else high = middle - 1;
  }
  return cut(low);
}

function shorten(text: string, most: number): string {
  if (text.length <= most) return text;
  return (
    text
      .slice(0, Math.max(1, most - MARK.length))
      .replace(/[\uD800-\uDBFF]$/, '')
      .trimEnd() + MARK
  ).trim();
}

/** A reviewer's reason, as a next step. */
export const reviewReason = (reason: string): string => `A reviewer refused the claim of completion: ${reason}`;
