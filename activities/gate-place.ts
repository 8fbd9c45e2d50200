import type { RunRequest } from '../schemas/run.ts';
import { checkOutClean, removeCheckout } from '../workspaces/check-out-clean.ts';
import { dropGitDir, renewGitDir } from '../workspaces/renew-git-dir.ts';
import type { RunPaths } from '../workspaces/run-paths.ts';
import { cleanCheckout, type Place } from './mounts.ts';

/** Do something where a run's gates belong: in a clean checkout of the commit, or in the workspace as it was left. */
export async function atThePlace<T>(
  { run, request, commit }: { run: RunPaths; request: RunRequest; commit: string },
  work: (place: Place) => Promise<T>,
): Promise<T> {
  if (request.gatePolicy.inPlace) {
    await renewGitDir(run, request);
    const done = await work(run);
    await dropGitDir(run);
    return done;
  }
  await checkOutClean({ paths: run, commit });
  try {
    return await work(cleanCheckout(run));
  } finally {
    // As far as it goes: the next checkout must do it or fail.
    await removeCheckout(run).catch(() => undefined);
  }
}
