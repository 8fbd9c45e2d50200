import { type RalphError, ralphError } from '../../schemas/errors/index.ts';
import type { AttemptOutcome } from '../../schemas/round/round.ts';
import { branchName } from '../../schemas/run/run.ts';
import { readOutcome } from '../../workspaces/records/attempts.ts';
import { listRuns as runIdsOnDisk } from '../../workspaces/records/runs.ts';
import { attemptLineOf } from './attempt-line.ts';
import { interruptedLine } from './check-line.ts';
import { checksOnDisk, refusalOf } from './checks-on-disk.ts';
import type { TemporalLink } from '../connect/connect.ts';
import type { Deployment } from '../connect/deployment.ts';
import { diskRun, type DiskRun } from './disk-run.ts';
import { engineNote } from './engine-note.ts';
import { attemptsInHistory } from './history.ts';
import { nearestIds } from '../start/nearest-ids.ts';
import { whenReached } from '../connect/reach.ts';
import { type LineAfter, lineAfter, lineAfterOnDisk } from './line-after.ts';
import { lineOf } from './line-of.ts';
import { roundRows } from './round-rows.ts';
import { rowsOnDisk } from './rows-on-disk.ts';
import { unplacedNote } from './unplaced-note.ts';
import type { AttemptLine, RunView } from './run-view.ts';
import { type KnownRun, summarizeRun } from './summarize-run.ts';
import { usedBy } from './used-by.ts';
import type { TemporalRun } from './temporal-run.ts';

/** A whole run, from Temporal and the disk. Throws RalphError `no-such-run` with the nearest ids. */
export async function showRun(deployment: Deployment, runId: string): Promise<RunView> {
  const { answer, offline } = await whenReached(deployment, (link) => askTemporal(link, deployment, runId));
  const disk = answer === null ? await diskRun(deployment.ralphHome, runId) : answer.disk;
  const temporal = answer === null ? null : answer.run;
  if (disk === null && temporal === null) {
    // An embedded server knows no run but those on this disk.
    if (offline !== null && deployment.settings.server.source === 'external') throw offline;
    throw await noSuchRun(deployment, runId, answer === null ? [] : answer.ids);
  }
  const notes =
    disk === null ? ['The files of this run are not on this machine.'] : [...disk.notes, ...(disk.ending?.notes ?? [])];
  if (offline !== null && disk?.ending === null) notes.push(`${offline.message} Whether this run goes on is unknown.`);
  const last = disk === null ? null : await lastOutcome(disk);
  const { attempts, line } = answer ?? { attempts: [], line: await lineAfterOnDisk(deployment.ralphHome, runId) };
  const view = await viewOf({ runId, disk, temporal, lastOutcome: last }, { attempts, line });
  const further = [engineNote(view, deployment.ralphHome), disk === null ? null : unplacedNote(last, disk.paths)];
  return { ...view, notes: [...notes, ...further.filter((note) => note !== null)] };
}

/** The error for an id that no run has, with the ids that may have been meant. */
async function noSuchRun(
  { ralphHome }: Pick<Deployment, 'ralphHome'>,
  runId: string,
  elsewhere: readonly string[],
): Promise<RalphError> {
  const ids = new Set([...(await runIdsOnDisk(ralphHome)), ...elsewhere]);
  return ralphError('no-such-run', { runId, nearest: nearestIds(runId, [...ids]) });
}

interface Told {
  readonly run: TemporalRun | null;
  /** Read after Temporal was asked: what has ended there has its last files. */
  readonly disk: DiskRun | null;
  readonly line: LineAfter;
  /** From Temporal's history, where the files are gone. */
  readonly attempts: readonly AttemptLine[];
  /** All ids, where neither Temporal nor the disk knows the run. */
  readonly ids: readonly string[];
}

async function askTemporal(link: TemporalLink, { ralphHome }: Deployment, runId: string): Promise<Told> {
  const { describeRun, temporalRuns } = await import('./temporal-run.ts');
  const run = await describeRun(link, runId);
  const disk = await diskRun(ralphHome, runId);
  const line = await lineAfter(link, ralphHome, runId);
  if (disk !== null) return { run, disk, line, attempts: [], ids: [] };
  if (run !== null) {
    const attempts = await attemptsInHistory(link, runId);
    return { run, disk, line, attempts: attempts.map((each) => attemptLineOf(each)), ids: [] };
  }
  const ids: string[] = [];
  for await (const each of temporalRuns(link, { open: false })) ids.push(each.runId);
  return { run, disk, line, attempts: [], ids };
}

const isTakenBack = (disk: DiskRun | null): boolean => disk !== null && disk.rollback !== null;

async function viewOf(
  known: KnownRun & { disk: DiskRun | null; lastOutcome: AttemptOutcome | null },
  { attempts: elsewhere, line }: Pick<Told, 'attempts' | 'line'>,
): Promise<Omit<RunView, 'notes'>> {
  const { disk, temporal, lastOutcome: last } = known;
  const request = disk === null ? null : disk.request;
  const ending = disk === null ? null : disk.ending;
  const summary = summarizeRun(known);
  const isOpen = temporal !== null && temporal.status === 'open';
  const progress = isOpen ? temporal.progress : null;
  const rows = roundRows(disk === null ? elsewhere : disk.attempts, progress);
  const checks = disk === null || request === null ? [] : await checksOnDisk(disk.paths, request, 0);
  const used = await usedBy(known);
  // Of a run that has ended nothing is under way.
  const isOver = ending !== null || (temporal !== null && !isOpen);
  return {
    ...summary,
    ref: summary.ref ?? (isTakenBack(disk) ? null : (last?.checkpoint?.ref ?? null)),
    objective: request === null ? null : request.objective,
    objectiveHash: request === null ? null : request.objectiveHash,
    base: request === null ? null : request.repository,
    agentSpec: request === null ? null : request.agent,
    sandbox: request === null ? null : request.sandbox,
    setup: request === null ? null : request.setup,
    limits: request === null ? null : request.limits,
    ...used,
    gates: request === null ? null : request.gates,
    gatePolicy: request === null ? null : request.gatePolicy,
    reviewer: request === null ? null : request.reviewer,
    fallbackAgent: request === null ? null : request.fallbackAgent,
    hostId: request?.hostId ?? temporal?.memo?.hostId ?? null,
    branch: request === null ? branchOf(summary.ref) : branchName(request),
    rounds: rows.map((row) => ({ ...row, refused: refusalOf(checks, row.round) })),
    checks: isOver
      ? checks.map((check) => (check.result === 'under-way' ? { ...check, ...interruptedLine } : check))
      : checks,
    rolledBack: disk === null ? [] : await rowsOnDisk(disk, disk.rolledBack),
    rollback: disk === null ? null : disk.rollback,
    rollbacks: disk === null ? [] : disk.rollbacks,
    unfinishedRollback: disk === null ? null : disk.unfinishedRollback,
    ...(await lineOf(known, used.spent)),
    ...line,
    progress,
    ending: ending === null ? null : ending.ending,
    receipt: ending?.receipt ?? temporal?.memo?.receipt ?? (isOpen ? null : (last?.receipt ?? null)),
    temporal: temporal === null ? null : temporal.view,
    folder: disk === null ? null : disk.paths.root,
  };
}

const branchOf = (ref: string | null): string | null =>
  /^refs\/heads\/(ralph\/[a-z0-9-]{1,64})$/.exec(ref === null ? '' : ref)?.[1] ?? null;

/** The record of the last attempt: for a run that Temporal has forgotten or somebody terminated. */
async function lastOutcome({ last, paths }: DiskRun): Promise<AttemptOutcome | null> {
  if (last === null) return null;
  try {
    return await readOutcome(paths, last.round, last.attempt);
  } catch {
    // A damaged record: what it says is then unknown, and `show --round` says why.
    return null;
  }
}
