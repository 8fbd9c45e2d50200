import { chmod, mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ralphError } from '../schemas/errors/index.ts';
import { namingFullDisk } from '../system/disk-full.ts';
import { copyIndex, engineIndex, lastCheckpoint, scratchFolder } from './engine-repository.ts';
import { errorCode } from '../system/error-code.ts';
import { readJson, writeJsonAtomically } from './json-file.ts';
import { readRequest } from './ledger.ts';
import { fileKind } from './file-kind.ts';
import { discardQuarantine, quarantineGitDir } from './quarantine.ts';
import { removeTree } from './remove-tree.ts';
import type { RunPaths } from './run-paths.ts';
import { makeThrowawayGit } from './throwaway-git.ts';
import { Claim } from './workspace-state.ts';

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
    await removeTree(paths.scratch);
    await quarantineGitDir(paths);
    await discardQuarantine(paths);
    const base = await lastCheckpoint(paths);
    const scratch = await scratchFolder(paths);
    const draft = join(scratch, 'git');
    await makeThrowawayGit({ paths, request, folder: draft, commit: base });
    await copyIndex(engineIndex(paths), join(draft, 'index'));
    await ensureFolder(paths.tree);
    await rename(draft, join(paths.tree, '.git'));
    await removeTree(scratch);
    await moveIfAny(paths.modules, join(paths.tree, '.git', 'modules'));
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

async function moveIfAny(from: string, to: string): Promise<void> {
  await rename(from, to).catch((error: unknown) => {
    if (errorCode(error) !== 'ENOENT') throw error;
  });
}

/** An agent may have replaced its own tree by something else. */
async function ensureFolder(folder: string): Promise<void> {
  await mkdir(folder, { mode: 0o700 }).catch(async (error: unknown) => {
    if (errorCode(error) !== 'EEXIST') throw error;
    if ((await fileKind(folder)) === 'folder') return chmod(folder, 0o700);
    await rm(folder, { force: true });
    await mkdir(folder, { mode: 0o700 });
  });
}
