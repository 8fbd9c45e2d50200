import path from 'node:path';
import type { Mounts } from '../../agents/containment/containment.ts';
import type { Sandbox } from '../../schemas/run/sandbox.ts';
import type { StepPaths, RunPaths } from '../../workspaces/records/run-paths.ts';
import type { Machine } from './machine.ts';

/** Where a contained command works: a run's own tree, or a clean checkout of it. */
export interface Place {
  readonly tree: string;
  /** Package caches. */
  readonly cache: string;
}

export const cleanCheckout = ({ check, checkCache }: RunPaths): Place => ({ tree: check, cache: checkCache });

/** What of a run's folders a contained command sees. */
export function mountsOf({
  machine,
  run,
  place,
  paths,
  sandbox,
}: {
  machine: Machine;
  run: RunPaths;
  place: Place;
  paths: StepPaths;
  sandbox: Sandbox;
}): Mounts {
  return {
    tree: place.tree,
    objects: path.join(run.repository, 'objects'),
    home: paths.home,
    cache: place.cache,
    inbox: paths.inbox,
    ralphHome: machine.ralphHome,
    readable: sandbox.readable,
  };
}
