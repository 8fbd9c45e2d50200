import { isBaseline, type RunRequest } from '../../schemas/run/run.ts';
import { checkOutClean, removeCheckout } from '../../workspaces/verification/check-out-clean.ts';
import { dropGitDir, renewGitDir } from '../../workspaces/round/renew-git-dir.ts';
import type { RunPaths } from '../../workspaces/records/run-paths.ts';
import { watchProtected } from '../../workspaces/verification/watch-protected.ts';
import { watchTracked } from '../../workspaces/verification/watch-tracked.ts';
import { cleanCheckout, type Place } from '../step/mounts.ts';

/** Where gates run, and what asks, between two of them, which paths the last one changed and may not. */
export interface GatePlace {
  readonly place: Place;
  readonly changed: () => Promise<string[]>;
}

/**
 * Do something where a run's gates belong: in a clean checkout of the commit, whose protected files must stay as they are,
 * or in the workspace as it was left, whose tracked files must.
 */
export async function atThePlace<T>(
  { run, request, round, commit }: { run: RunPaths; request: RunRequest; round: number; commit: string },
  work: (there: GatePlace) => Promise<T>,
): Promise<T> {
  if (request.gatePolicy.inPlace) {
    await renewGitDir(run, request);
    const done = await work({
      place: run,
      changed: await watchTracked(run, { isBaseline: isBaseline(request, round) }),
    });
    await dropGitDir(run);
    return done;
  }
  await checkOutClean({ paths: run, commit });
  try {
    const changed = await watchProtected(run, request.gatePolicy.protect);
    return await work({ place: cleanCheckout(run), changed });
  } finally {
    // As far as it goes: the next checkout must do it or fail.
    await removeCheckout(run).catch(() => undefined);
  }
}
