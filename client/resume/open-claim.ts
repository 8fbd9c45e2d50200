import { inheritedClaim, type OpenClaim, type RunRequest } from '../../schemas/run/run.ts';
import type { RunPaths } from '../../workspaces/records/run-paths.ts';
import { claimStand } from './claim-stand.ts';
import { lastReport } from './last-report.ts';

/**
 * The claim of completion that a run which has ended left open, by its files: no check refused it, and it is of the very
 * commit that a successor begins from. Null: there is none. @param round the last round that counts
 */
export async function openClaim(
  { paths, request }: { paths: RunPaths; request: RunRequest },
  { round, commit }: { round: number; commit: string },
): Promise<OpenClaim | null> {
  if (isLostPlace(request)) return null;
  const last = await lastReport(paths, round);
  if (last === null) {
    const claim = inheritedClaim(request);
    const begunFrom = request.predecessor === null ? null : request.predecessor.commit;
    return claim !== null && begunFrom === commit && (await isOpen(paths, request, 0)) ? claim : null;
  }
  const { report, checkpoint, round: at } = last;
  if (report.status !== 'complete' || checkpoint === null || checkpoint.commit !== commit) return null;
  return (await isOpen(paths, request, at)) ? { runId: request.runId, round: at, report } : null;
}

/** Gates that run in the workspace as the agent left it: no successor has that one. */
const isLostPlace = ({ gates, gatePolicy }: RunRequest): boolean => gates.length > 0 && gatePolicy.inPlace;

const isOpen = async (paths: RunPaths, request: RunRequest, round: number): Promise<boolean> =>
  (await claimStand({ paths, request, round })).kind !== 'refused';
