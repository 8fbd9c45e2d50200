import { prepareWorkspaceActivity } from './prepare-workspace.ts';
import { releaseWorkspaceActivity } from './release-workspace.ts';
import { runRoundActivity } from './run-round.ts';

/** What the activities of one machine need to know of it. */
export interface ActivityContext {
  readonly ralphHome: string;
  /** The worker's own environment: agents get the names that their provider declares, nothing else. */
  readonly workerEnv: Readonly<Record<string, string | undefined>>;
}

/** The steps of a run. Each is safe to be started again after a kill at any point. */
export function createActivities(context: ActivityContext) {
  return {
    prepareWorkspace: prepareWorkspaceActivity(context),
    runRound: runRoundActivity(context),
    releaseWorkspace: releaseWorkspaceActivity(context),
  };
}
export type Activities = ReturnType<typeof createActivities>;
