import type { Machine } from './machine.ts';
import { oneAtATime } from './one-at-a-time.ts';
import { prepareWorkspaceActivity } from './prepare-workspace.ts';
import { releaseWorkspaceActivity } from './release-workspace.ts';
import { reviewClaimActivity } from './review-claim.ts';
import { runGatesActivity } from './run-gates.ts';
import { runRoundActivity } from './run-round.ts';

export { describeContainment } from '../agents/containment/choose-containment.ts';
export { workerSecrets } from '../agents/worker-secrets.ts';

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
