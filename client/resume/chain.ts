import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { homePaths } from '../../host/home-paths.ts';
import { withLock } from '../../host/locks/with-lock.ts';
import { ralphError } from '../../schemas/errors/index.ts';
import { previousOf, rootOf, type RunRequest } from '../../schemas/run/run.ts';
import { listRuns, readRequest } from '../../workspaces/records/runs.ts';
import { runPaths } from '../../workspaces/records/run-paths.ts';
import { readRollbacks } from '../../workspaces/rollback/roll-back.ts';
import type { TemporalLink } from '../connect/connect.ts';

const MAX_ID_CHARS = 64;

/** A run of a chain that has files here, or is live. */
interface ChainRun {
  readonly runId: string;
  /** Null: it cannot be read. */
  readonly request: RunRequest | null;
  /** Whether it was rolled back to its beginning. An unfinished rollback still has to move the branch, and does not count. */
  readonly isRolledBack: boolean;
}

/** A run's chain, as far as it is known here. */
export interface Chain {
  readonly root: string;
  /** Oldest first. */
  readonly runs: readonly ChainRun[];
  /** The run that the chain goes on from: the newest that really started and was not rolled back to its beginning. */
  readonly last: string;
  /** Runs after the last one: all were rolled back to their beginning. */
  readonly discarded: readonly string[];
}

/** What a chain is known by. */
export interface ChainReader {
  /** Null: it is not here, or cannot be read. */
  request(runId: string): Promise<RunRequest | null>;
  isRolledBack(runId: string): Promise<boolean>;
}

/** @param link null: Temporal cannot be asked, so a run that has no files yet is not known */
export const chainOf = (ralphHome: string, runId: string, link: TemporalLink | null): Promise<Chain> =>
  chainBy(ralphHome, runId, { link, ...onDisk(ralphHome) });

const onDisk = (ralphHome: string): ChainReader => ({
  request: (runId) => requestOf(ralphHome, runId),
  isRolledBack: (runId) => isRolledBack(ralphHome, runId),
});

/** The same by what somebody has read already. */
export async function chainBy(
  ralphHome: string,
  runId: string,
  { link, ...reader }: ChainReader & { link: TemporalLink | null },
): Promise<Chain> {
  const own = await reader.request(runId);
  const root = own === null ? runId : rootOf(own);
  const { runs, bare } = await foldersOf(ralphHome, root, reader);
  const starting = link === null ? null : await startingRun(link, { root, runs, bare });
  if (starting !== null) return { root, runs: [...runs, starting], last: starting.runId, discarded: [] };
  // A chain goes on from its first run even if that was rolled back to its beginning.
  const last = runs.findLast((each) => !each.isRolledBack)?.runId ?? root;
  const after = runs.findIndex(({ runId: id }) => id === last) + 1;
  return { root, runs, last, discarded: runs.slice(after).map((each) => each.runId) };
}

/** The runs that were started to continue this one, oldest first. */
export const nextRuns = ({ runs }: Chain, runId: string): string[] =>
  runs.filter(({ request }) => request !== null && previousOf(request) === runId).map((run) => run.runId);

/** The root too, where it has no files. `bare`: folders with the name of a run of the chain, in which no request is yet. */
async function foldersOf(
  ralphHome: string,
  root: string,
  reader: ChainReader,
): Promise<{ runs: ChainRun[]; bare: string[] }> {
  const named = (await listRuns(ralphHome)).filter((runId) => numberIn(runId, root) !== null);
  const runOf = async (runId: string): Promise<ChainRun> => ({
    runId,
    request: await reader.request(runId),
    isRolledBack: await reader.isRolledBack(runId),
  });
  const runs = [await runOf(root)];
  const bare: string[] = [];
  for (const runId of named.toSorted((a, b) => (numberIn(a, root) ?? 0) - (numberIn(b, root) ?? 0))) {
    if (!existsSync(runPaths(ralphHome, runId).request)) {
      bare.push(runId);
      continue;
    }
    const run = await runOf(runId);
    // A run that a user named like this is the first of a chain of its own.
    if (run.request === null || rootOf(run.request) === root) runs.push(run);
  }
  return { runs, bare };
}

/** Null where it cannot be read: then `show` says why. */
const requestOf = (ralphHome: string, runId: string): Promise<RunRequest | null> =>
  readRequest(runPaths(ralphHome, runId)).catch(() => null);

async function rootOfRun(ralphHome: string, runId: string): Promise<string> {
  const request = await requestOf(ralphHome, runId);
  return request === null ? runId : rootOf(request);
}

async function isRolledBack(ralphHome: string, runId: string): Promise<boolean> {
  const last = (await readRollbacks(runPaths(ralphHome, runId))).at(-1);
  return last !== undefined && last.done && last.to === 0;
}

/** The live run of a chain that has no request here yet; null: there is none. */
async function startingRun(
  link: TemporalLink,
  { root, runs, bare }: { root: string; runs: readonly ChainRun[]; bare: readonly string[] },
): Promise<ChainRun | null> {
  const { describeRun } = await import('../view/temporal-run.ts');
  const { startedWith } = await import('./signed-copy.ts');
  const known = [...bare];
  for (let number = nextNumber(root, [...runs.map(({ runId }) => runId), ...bare]); ; number += 1) {
    if ((await describeRun(link, idOf(root, number))) === null) break;
    known.push(idOf(root, number));
  }
  for (const runId of known) {
    const run = await describeRun(link, runId);
    if (run === null || run.status !== 'open') continue;
    const request = await startedWith(link, runId);
    if (request !== null && rootOf(request) === root) return { runId, request, isRolledBack: false };
  }
  return null;
}

/** The id of a chain's next run: `<root>-2` and so on. Temporal starts an id once, so one that it knows is used up. */
export async function nextId(link: TemporalLink, ralphHome: string, root: string): Promise<string> {
  const { describeRun } = await import('../view/temporal-run.ts');
  for (let number = nextNumber(root, await listRuns(ralphHome)); ; number += 1) {
    const runId = idOf(root, number);
    if ((await describeRun(link, runId)) === null) return runId;
  }
}

const nextNumber = (root: string, runIds: readonly string[]): number =>
  Math.max(1, ...runIds.map((runId) => numberIn(runId, root) ?? 1)) + 1;

/** Whether an id is that of a follow-up of a chain. */
export const isFollowUp = (runId: string, root: string): boolean => numberIn(runId, root) !== null;

/** The root is cut so that the id is not too long. */
function idOf(root: string, number: number): string {
  const suffix = `-${number}`;
  return root.slice(0, MAX_ID_CHARS - suffix.length) + suffix;
}

/** The number of a run in a chain, by its id; null: it is not of that chain, or its first run. */
function numberIn(runId: string, root: string): number | null {
  const [, digits] = /-([1-9]\d*)$/.exec(runId) ?? [];
  if (digits === undefined) return null;
  const number = Number(digits);
  return number > 1 && runId === idOf(root, number) ? number : null;
}

/**
 * Change a chain with nobody else at it: one resume, rollback or raised budget of its runs at a time. Throws RalphError
 * `chain-busy` if another command takes too long.
 */
export async function withChain<Value>(ralphHome: string, runId: string, work: () => Promise<Value>): Promise<Value> {
  const { lines } = homePaths(ralphHome);
  await mkdir(lines, { recursive: true, mode: 0o700 });
  const held = await withLock(path.join(lines, `${await rootOfRun(ralphHome, runId)}.lock`), work);
  if (held === null) throw ralphError('chain-busy', { runId });
  return held.done;
}

/** Whether a run was rolled back to its beginning, so that the chain goes on without it. */
export const isDiscarded = ({ root, runs }: Chain, runId: string): boolean =>
  runId !== root && runs.some((run) => run.runId === runId && run.isRolledBack);
