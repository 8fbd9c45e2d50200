import { setImmediate as otherWork } from 'node:timers/promises';
import { ralphError } from '../../schemas/errors/index.ts';
import { RUN_ID } from '../../schemas/run/run.ts';
import { nearestIds } from '../start/nearest-ids.ts';
import { diskFiles, runFolders } from '../view/run-files.ts';
import { recordOf, runRecords } from '../view/run-records.ts';
import type { Piece } from './piece.ts';
import { piecesOfRun, type RunPieces, withRejections } from './pieces-of-run.ts';
import { PURPOSES, type LinesPerUsd, type StatsView } from './stats-view.ts';
import { amountOf, sumsOf } from './sums-of.ts';

/** Runs that are read before whoever else needs this thread gets its turn. */
const AT_ONCE = 20;

/**
 * What runs used, and for what, by the files on this machine: attempts that ended, reviews, and runs of gates. Needs no
 * Temporal. Throws RalphError `no-such-run`.
 * @param runId null: all runs
 * @param sinceMs only what began since then, in milliseconds of the epoch; null: everything
 */
export async function runStats(
  ralphHome: string,
  { runId, sinceMs }: { runId: string | null; sinceMs: number | null },
): Promise<StatsView> {
  const folders = runFolders(ralphHome);
  if (runId !== null && !(RUN_ID.test(runId) && folders.includes(runId))) {
    throw ralphError('no-such-run', { runId, nearest: nearestIds(runId, folders) });
  }
  const asked = new Map<string, RunPieces>();
  const rejections = new Set<string>();
  for (const [at, id] of (runId === null ? folders : chainFolders(folders, runId)).entries()) {
    if (at % AT_ONCE === AT_ONCE - 1) await otherWork();
    const records = runRecords(diskFiles(ralphHome, id));
    const isAsked = runId === null || id === runId;
    if (!isAsked && recordOf(await records.request())?.previous?.pending?.runId !== runId) continue;
    const run = await piecesOfRun(records);
    for (const rejection of run.rejections) rejections.add(rejection);
    if (isAsked) asked.set(id, run);
  }
  const isSince = (at: string | null): boolean => sinceMs === null || (at !== null && Date.parse(at) >= sinceMs);
  const runs = [...asked.values()];
  const pieces = withRejections(
    runs.flatMap((run) => run.pieces.filter(({ startedAt }) => isSince(startedAt ?? run.requestedAt))),
    rejections,
  );
  const attempts = pieces.filter(({ overheadMs }) => overheadMs !== undefined);
  return {
    since: sinceMs === null ? null : new Date(sinceMs).toISOString(),
    runs: new Set(pieces.map((piece) => piece.runId)).size,
    rounds: new Set(attempts.map((piece) => `${piece.runId}/${piece.round}`)).size,
    total: sumsOf(pieces),
    agents: agentSums(pieces),
    days: groups(pieces, ({ startedAt }) => dayOf(startedAt))
      .map(([day, some]) => ({ day, ...sumsOf(some) }))
      .toSorted((a, b) => (a.day ?? '').localeCompare(b.day ?? '')),
    purposes: PURPOSES.flatMap((purpose) => {
      const some = pieces.filter((piece) => piece.purpose === purpose);
      return some.length === 0 ? [] : [{ purpose, ...sumsOf(some) }];
    }),
    waitMs: amountOf(runs.flatMap((run) => waitsOf(run, isSince))),
    linesPerUsd: linesPerUsd(attempts),
    overhead: {
      medianMs: middle(attempts.flatMap(({ overheadMs }) => overheadMs ?? [])),
      totalMs: amountOf(attempts.map(({ overheadMs }) => overheadMs ?? null)),
    },
    unread: [...asked].flatMap(([id, { problems }]) => problems.map((problem) => ({ runId: id, problem }))),
  };
}

/** A run and those that may have continued it: a claim that it left open was judged by the next one. */
const chainFolders = (folders: readonly string[], runId: string): string[] => {
  const isAfter = (id: string): boolean => id !== stem(id) && (runId.startsWith(stem(id)) || stem(id) === stem(runId));
  return folders.filter((id) => id === runId || isAfter(id));
};

/** Follow-ups count on from it. A long id is cut in theirs. */
const stem = (id: string): string => id.replace(/-\d+$/, '');

/** When a run waited is not written down: of one that began before, it is not known how long it waited since. */
function waitsOf(
  { pieces, requestedAt, waitMs }: RunPieces,
  isSince: (at: string | null) => boolean,
): readonly (number | null)[] {
  if (isSince(requestedAt)) return [waitMs];
  return pieces.some(({ startedAt }) => isSince(startedAt)) && waitMs !== 0 ? [null] : [];
}

function agentSums(pieces: readonly Piece[]): StatsView['agents'] {
  const byAgents = pieces.flatMap((piece) => (piece.by === null ? [] : [{ ...piece, by: piece.by }]));
  const sums = groups(byAgents, ({ by }) => `${by.agent ?? ''}\0${by.model ?? ''}`).flatMap(([, some]) => {
    const [first] = some;
    return first === undefined ? [] : [{ ...first.by, ...sumsOf(some) }];
  });
  const dollars = (each: (typeof sums)[number]): number => (each.costUsd.kind === 'known' ? each.costUsd.amount : -1);
  return sums.toSorted((a, b) => dollars(b) - dollars(a) || b.count - a.count);
}

function groups<T extends Piece, Key>(pieces: readonly T[], keyOf: (piece: T) => Key): [Key, T[]][] {
  const found = new Map<Key, T[]>();
  for (const piece of pieces) {
    const key = keyOf(piece);
    const group = found.get(key);
    if (group === undefined) found.set(key, [piece]);
    else group.push(piece);
  }
  return [...found];
}

function dayOf(at: string | null): string | null {
  if (at === null) return null;
  const date = new Date(at);
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

const two = (part: number): string => String(part).padStart(2, '0');

/** Lines that count, for all that was paid. */
function linesPerUsd(attempts: readonly Piece[]): LinesPerUsd {
  const paid = attempts.filter(({ costUsd }) => costUsd !== null);
  const usd = paid.reduce((sum, { costUsd }) => sum + (costUsd ?? 0), 0);
  if (usd === 0) return { kind: 'unknown' };
  const counting = paid.filter(({ purpose }) => purpose !== 'rolled-back');
  const { insertions, deletions } = sumsOf(counting).lines;
  return { kind: 'known', amount: (insertions + deletions) / usd, attempts: paid.length, of: attempts.length };
}

function middle(values: readonly number[]): number | null {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? null;
}
