import type { Machine } from './step/machine.ts';
import { oneAtATime } from './step/one-at-a-time.ts';
import { prepareWorkspaceActivity } from './prepare-workspace.ts';
import { releaseWorkspaceActivity } from './release-workspace.ts';
import { reviewClaimActivity } from './verification/review-claim.ts';
import { runGatesActivity } from './verification/run-gates.ts';
import { runRoundActivity } from './round/run-round.ts';

export { describeContainment } from '../agents/containment/choose/choose-containment.ts';
export { workerSecrets } from '../agents/logins/worker-secrets.ts';

/** The steps of a run. Each is safe to be started again after a kill at any point. */
export function createActivities(machine: Machine) {
  const takeTurn = oneAtATime();
  return {
    prepareWorkspace: prepareWorkspaceActivity(machine, takeTurn),
    runRound: runRoundActivity(machine, takeTurn),
    runGates: runGatesActivity(machine, takeTurn),
    reviewClaim: reviewClaimActivity(machine, takeTurn),
    releaseWorkspace: releaseWorkspaceActivity(machine, takeTurn),
  };
}
export type Activities = ReturnType<typeof createActivities>;
