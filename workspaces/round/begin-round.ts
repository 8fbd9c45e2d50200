import { ralphError } from '../../schemas/errors/index.ts';
import { namingFullDisk } from '../../system/disk-full.ts';
import { readJson, writeJsonAtomically } from '../records/json-file.ts';
import { readRequest } from '../records/ledger.ts';
import { renewGitDir } from './renew-git-dir.ts';
import type { RunPaths } from '../records/run-paths.ts';
import { Claim } from '../records/workspace-state.ts';

/**
 * Hand the tree to an attempt: a new `tree/.git` at the last checkpoint, which borrows the engine's objects, and the
 * claim that makes every earlier attempt's work come too late. Whatever was in `tree/.git` is gone, so save an earlier
 * attempt's work first (`checkpoint`). Starts no process. Safe to call again after a kill.
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
  await refuseSuperseded(paths, { round, attempt });
  return namingFullDisk(paths.root, async () => {
    const { base } = await renewGitDir(paths, request);
    await writeJsonAtomically(paths.claim, { round, attempt, base } satisfies Claim);
    return { base };
  });
}

/** Throws RalphError `attempt-superseded` where a later attempt has begun. Returns the claim in force. */
export async function refuseSuperseded(
  paths: RunPaths,
  asked: { round: number; attempt: number },
): Promise<Claim | null> {
  const claim = await readJson(paths.claim, Claim);
  if (claim === null || claim.round < asked.round) return claim;
  if (claim.round === asked.round && claim.attempt <= asked.attempt) return claim;
  throw ralphError('attempt-superseded', { asked: attemptName(asked), current: attemptName(claim) });
}

export function attemptName({ round, attempt }: { round: number; attempt: number }): string {
  return `round ${round}, attempt ${attempt}`;
}
