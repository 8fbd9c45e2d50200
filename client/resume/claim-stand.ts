import type { RunRequest } from '../../schemas/run/run.ts';
import type { ClaimStand } from '../../workflows/claim-handoff.ts';
import { reviewReason } from '../../workflows/claim-handoff.ts';
import { gateVerdict } from '../../workflows/gate-refusals.ts';
import { baselineOf, lastCheck, lastReview } from '../../workspaces/records/checks.ts';
import type { RunPaths } from '../../workspaces/records/run-paths.ts';

type Stand = { readonly kind: ClaimStand } | { readonly kind: 'refused'; readonly reasons: readonly string[] };

/** How far the check of a round's claim of completion came, by the last of its files; a refusal as next steps. */
export async function claimStand({
  paths,
  request,
  round,
}: {
  paths: RunPaths;
  request: RunRequest;
  round: number;
}): Promise<Stand> {
  const { gates, gatePolicy, reviewer } = request;
  const isGated = gates.length > 0 || gatePolicy.protect.length > 0;
  const check = await lastCheck(paths, round);
  if (check !== null) {
    const { reasons } = gateVerdict(check, gatePolicy, await baselineOf(paths, request));
    if (reasons.length > 0) return { kind: 'refused', reasons };
  }
  const judged = await lastReview(paths, round);
  if (judged !== null) {
    const { decision, reasons } = judged.review;
    return decision === 'accept' ? { kind: 'accepted' } : { kind: 'refused', reasons: reasons.map(reviewReason) };
  }
  if (!isGated || check === null) return { kind: 'unchecked' };
  return { kind: reviewer === null ? 'accepted' : 'gates-passed' };
}
