import { inheritedClaim, type RunRequest } from '../schemas/run/run.ts';

/** The claim that is checked as this round's: "round 3", "round 3 of the-run-before". */
export function claimName(request: RunRequest, round: number): string {
  const inherited = round === 0 ? inheritedClaim(request) : null;
  return inherited === null ? `round ${round}` : `round ${inherited.round} of ${inherited.runId}`;
}

/** The same behind a word, where it is not this run's own. */
export const ofInherited = (request: RunRequest, round: number): string =>
  round === 0 ? ` of ${claimName(request, round)}` : '';
