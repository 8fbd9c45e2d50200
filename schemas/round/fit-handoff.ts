import { boundText } from '../text/bound-text.ts';
import { reportChars, type Handoff } from './report.ts';

/** A text is not cut below this: it would say nothing, or its mark would not fit. */
const SHORTEST = 80;

/**
 * A handoff within `maxChars`, what is cut marked as cut: first every text is brought to the greatest common length that
 * fits, then evidence goes, then further next steps. `whole`: how many of the first next steps are never cut; they must
 * leave room.
 */
export function fitHandoff(handoff: Handoff, { whole, maxChars }: { whole: number; maxChars: number }): Handoff {
  if (reportChars(handoff) <= maxChars) return handoff;
  const poorer: Handoff = { ...handoff, evidence: [] };
  const poorest: Handoff = { ...poorer, nextSteps: handoff.nextSteps.slice(0, Math.max(whole, 1)) };
  for (const each of [handoff, poorer, poorest]) {
    const fitting = longestFit(each, { whole, maxChars });
    if (fitting !== null) return fitting;
  }
  for (let most = SHORTEST; ; most = Math.floor(most / 2)) {
    const bare = cutTo(poorest, { whole, most });
    if (most <= 1 || reportChars(bare) <= maxChars) return bare;
  }
}

function longestFit(handoff: Handoff, { whole, maxChars }: { whole: number; maxChars: number }): Handoff | null {
  const fits = (most: number): boolean => reportChars(cutTo(handoff, { whole, most })) <= maxChars;
  if (!fits(SHORTEST)) return null;
  let low = SHORTEST;
  let high = maxChars;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(middle)) low = middle;
    else high = middle - 1;
  }
  return cutTo(handoff, { whole, most: low });
}

function cutTo(handoff: Handoff, { whole, most }: { whole: number; most: number }): Handoff {
  const cut = (text: string): string => boundText(text, most).trim();
  return {
    ...handoff,
    summary: cut(handoff.summary),
    evidence: handoff.evidence.map((text) => cut(text)),
    nextSteps: handoff.nextSteps.map((text, at) => (at < whole ? text : cut(text))),
  };
}
