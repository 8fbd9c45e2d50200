import { RalphError, ralphError } from '../../schemas/errors/index.ts';
import type { LedgerLine } from '../../schemas/run/ledger.ts';
import { givesCommitsUp } from '../../schemas/run/gives-commits-up.ts';
import { Rollbacks, type Rollback } from '../../schemas/run/rollback.ts';
import { startCommit, type RunRequest } from '../../schemas/run/run.ts';
import { namingFullDisk } from '../../system/disk-full.ts';
import { lastCheckpoint, moveCheckpoint } from '../repository/engine-repository.ts';
import { readJson, writeJsonAtomically } from '../records/json-file.ts';
import { keepInUsers } from './keep-in-users.ts';
import { readAttempts, rollBackLinesAfter } from '../records/ledger.ts';
import { publishBranch } from '../round/publish-branch.ts';
import type { RunPaths } from '../records/run-paths.ts';
import { updateRefs } from '../git/update-refs.ts';

interface RollbackRequest {
  readonly paths: RunPaths;
  readonly request: RunRequest;
  /** 0: to the beginning of the run. */
  readonly to: number;
}

/**
 * Roll a run that has ended back to a round's checkpoint. First the discarded commits are kept under a ref of their own in
 * the user's repository and the engine's. Then the checkpoint and the branch go back by compare-and-swap, and later rounds
 * are marked in the ledger. After a kill at any point, the same call finishes it; after that it changes nothing.
 * Throws RalphError `no-such-checkpoint`, `nothing-to-roll-back`, `rollback-not-kept`, `workspace-missing`, `disk-full`.
 */
export async function rollBack(asked: RollbackRequest): Promise<Rollback> {
  const { paths, to } = asked;
  return namingFullDisk(paths.root, async () => {
    const before = await withoutUnfinished(asked, await readRollbacks(paths));
    const decided = await decide(asked, before);
    const current = before.at(-1);
    if (decided === null) {
      if (current !== undefined && current.to === to) {
        // If the repository was away, it may be back.
        return current.kept && current.ref !== null ? current : finish(asked, current, before);
      }
      throw ralphError('nothing-to-roll-back', { runId: asked.request.runId, round: to });
    }
    const all = [...before, decided];
    await writeJsonAtomically(paths.rollbacks, { rollbacks: all } satisfies Rollbacks);
    return finish(asked, decided, all);
  });
}

/** Every rollback of a run, the last one in force. */
export async function readRollbacks(paths: RunPaths): Promise<readonly Rollback[]> {
  const record = await readJson(paths.rollbacks, Rollbacks);
  return record === null ? [] : record.rollbacks;
}

/** The rollbacks, once an unfinished one was finished, or dropped if it has moved nothing yet and another one is asked for. */
async function withoutUnfinished(asked: RollbackRequest, all: readonly Rollback[]): Promise<readonly Rollback[]> {
  const last = all.at(-1);
  if (last === undefined || last.done) return all;
  const earlier = all.slice(0, -1);
  if (last.to !== asked.to && (await lastCheckpoint(asked.paths)) === last.abandoned) return earlier;
  return [...earlier, await finish(asked, last, all)];
}

/** Null: nothing came after that round. */
async function decide({ paths, request, to }: RollbackRequest, before: readonly Rollback[]): Promise<Rollback | null> {
  const valid = (await readAttempts(paths)).filter(({ status }) => status === 'valid');
  const commit = to === 0 ? startCommit(request) : checkpointOf(valid, to);
  if (commit === null) throw ralphError('no-such-checkpoint', { runId: request.runId, round: to, rounds: had(valid) });
  const abandoned = await lastCheckpoint(paths);
  // A follow-up without a round of its own can be discarded too: then its chain goes on without it.
  const isDiscarded = to === 0 && before.length === 0 && request.previous !== null;
  if (!isDiscarded && abandoned === commit && valid.every(({ round }) => round <= to)) return null;
  const number = before.length + 1;
  return {
    number,
    to,
    commit,
    abandoned,
    keptAt: `refs/ralph-abandoned/${request.runId}/${number}`,
    kept: false,
    ref: null,
    notes: [],
    at: new Date().toISOString(),
    done: false,
  };
}

const checkpointOf = (lines: readonly LedgerLine[], round: number): string | null =>
  lines.findLast((line) => line.round === round && line.commit !== null)?.commit ?? null;

const had = (lines: readonly LedgerLine[]): number[] => [
  ...new Set([0, ...lines.filter(({ commit }) => commit !== null).map(({ round }) => round)]),
];

/** Each step finds out whether it was done already. `all`: with this one last. */
async function finish(
  { paths, request }: RollbackRequest,
  begun: Rollback,
  all: readonly Rollback[],
): Promise<Rollback> {
  const { identity } = request;
  const { abandoned, commit, keptAt, to } = begun;
  let keeping: string | null = null;
  if (givesCommitsUp(begun)) {
    await updateRefs({ paths, identity, moves: [{ name: keptAt, to: abandoned, from: null }] });
    keeping = await keepInUsers({ paths, request, ref: keptAt, commit: abandoned });
  }
  const at = await moveCheckpoint(paths, { from: abandoned, to: commit });
  if (at !== commit) {
    throw new Error(`the checkpoint of ${paths.root} is at ${at}, and neither at ${abandoned} nor at ${commit}`);
  }
  const { ref, note } = await publishBranch({ paths, request, commit, base: abandoned, added: null });
  await rollBackLinesAfter(paths, to);
  const notes = [keeping, note].filter((each) => each !== null);
  const done: Rollback = { ...begun, kept: keeping === null, ref, notes: [...new Set(notes)], done: true };
  await writeJsonAtomically(paths.rollbacks, { rollbacks: [...all.slice(0, -1), done] } satisfies Rollbacks);
  return done;
}

/** Keep discarded commits in the user's repository that could not be kept there before, because it was away. */
export async function keepLate(asked: { paths: RunPaths; request: RunRequest }): Promise<void> {
  const { paths } = asked;
  const before = await readRollbacks(paths);
  if (before.every(({ kept }) => kept)) return;
  const rollbacks: Rollback[] = [];
  for (const each of before)
    rollbacks.push(each.kept || !each.done ? each : { ...each, kept: await isKept(asked, each) });
  await writeJsonAtomically(paths.rollbacks, { rollbacks } satisfies Rollbacks);
}

async function isKept(
  { paths, request }: { paths: RunPaths; request: RunRequest },
  { keptAt, abandoned }: Rollback,
): Promise<boolean> {
  try {
    return (await keepInUsers({ paths, request, ref: keptAt, commit: abandoned })) === null;
  } catch (error) {
    if (error instanceof RalphError && error.code === 'rollback-not-kept') return false;
    throw error;
  }
}
