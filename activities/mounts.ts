import path from 'node:path';
import type { Mounts } from '../agents/containment/containment.ts';
import type { Sandbox } from '../schemas/sandbox.ts';
import type { AttemptPaths, RunPaths } from '../workspaces/run-paths.ts';
import type { Machine } from './machine.ts';

/** What of a run's folders a contained command sees. */
export function mountsOf({
  machine,
  run,
  paths,
  sandbox,
}: {
  machine: Machine;
  run: RunPaths;
  paths: AttemptPaths;
  sandbox: Sandbox;
}): Mounts {
  return {
    tree: run.tree,
    objects: path.join(run.repository, 'objects'),
    home: paths.home,
    cache: run.cache,
    inbox: paths.inbox,
    ralphHome: machine.ralphHome,
    readable: sandbox.readable,
  };
}
