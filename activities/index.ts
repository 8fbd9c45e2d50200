import type { Machine } from './machine.ts';
import { prepareWorkspaceActivity } from './prepare-workspace.ts';
import { releaseWorkspaceActivity } from './release-workspace.ts';
import { runRoundActivity } from './run-round.ts';

/** The steps of a run. Each is safe to be started again after a kill at any point. */
export function createActivities(machine: Machine) {
  return {
    prepareWorkspace: prepareWorkspaceActivity(machine),
    runRound: runRoundActivity(machine),
    releaseWorkspace: releaseWorkspaceActivity(machine),
  };
}
export type Activities = ReturnType<typeof createActivities>;
