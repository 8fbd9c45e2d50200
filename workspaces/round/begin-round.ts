import { ralphError } from '../../schemas/errors/index.ts';
import { namingFullDisk } from '../../system/disk-full.ts';
import { readDraft, writeDraft } from '../records/json-file.ts';
import { readRequest } from '../records/runs.ts';
import { treeId } from './tree-state.ts';
import { renewGitDir } from './renew-git-dir.ts';
import type { RunPaths } from '../records/run-paths.ts';
import { Lease } from '../records/lease.ts';

/**
 * Hand the tree to an attempt: a new `tree/.git` at the last checkpoint, which borrows the engine's objects, and the
 * lease that makes every earlier attempt's work come too late. Whatever was in `tree/.git` is gone, so save an earlier
 * attempt's work first (`checkpoint`). Starts no process, unless the tree is gone and must
 * be checked out again. Safe to call again after a kill.
 * Throws RalphError (`attempt-superseded`, `workspace-missing`, `disk-full`).
 */
export async function beginRound(asked: {
  paths: RunPaths;
  round: number;
  attempt: number;
}): Promise<{ base: string }> {
  const { paths, round, attempt } = asked;
  const request = await readRequest(paths);
  if (request === null) throw ralphError('workspace-missing', { path: paths.root });
  await rejectSuperseded(paths, { round, attempt });
  return namingFullDisk(paths.root, async () => {
    const { base } = await renewGitDir(paths, request);
    await writeDraft(paths.lease, { round, attempt, base, tree: await treeId(paths) } satisfies Lease);
    return { base };
  });
}

/** Throws RalphError `attempt-superseded` where a later attempt has begun. Returns the lease in force. */
export async function rejectSuperseded(
  paths: RunPaths,
  asked: { round: number; attempt: number },
): Promise<Lease | null> {
  const lease = await readDraft(paths.lease, Lease);
  if (lease === null || lease.round < asked.round) return lease;
  if (lease.round === asked.round && lease.attempt <= asked.attempt) return lease;
  throw ralphError('attempt-superseded', { asked: attemptName(asked), current: attemptName(lease) });
}

export function attemptName({ round, attempt }: { round: number; attempt: number }): string {
  return `round ${round}, attempt ${attempt}`;
}
