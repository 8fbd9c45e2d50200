import { exists } from '../../system/exists.ts';
import { messageOf } from '../../system/message-of.ts';
import type { LedgerLine } from '../../schemas/run/ledger.ts';
import type { RunEnding } from '../../schemas/run/result.ts';
import type { Rollback } from '../../schemas/run/rollback.ts';
import type { RunRequest } from '../../schemas/run/run.ts';
import { agentTitle } from '../../schemas/run/titles.ts';
import { readLastAttempt, readAttempts } from '../../workspaces/records/ledger.ts';
import { listRuns, readEnding, readRequest } from '../../workspaces/records/runs.ts';
import { readRollbacks } from '../../workspaces/rollback/roll-back.ts';
import { type RunPaths, runPaths } from '../../workspaces/records/run-paths.ts';

/** A run as its files tell it, in short. Null where a file is missing, or, with a note, where it cannot be read. */
export interface DiskSummary {
  readonly runId: string;
  readonly paths: RunPaths;
  readonly request: RunRequest | null;
  readonly ending: RunEnding | null;
  readonly last: LedgerLine | null;
  /** Every rollback that was made whole; the last one is in force. */
  readonly rollbacks: readonly Rollback[];
  readonly rollback: Rollback | null;
  /** One that was begun and not ended. */
  readonly unfinishedRollback: Rollback | null;
  /** How many rounds were rolled back. */
  readonly voidRounds: number;
  readonly notes: readonly string[];
}

/** The same with all attempts that ended; those that were rolled back are apart. */
export interface DiskRun extends DiskSummary {
  readonly attempts: readonly LedgerLine[];
  readonly rolledBack: readonly LedgerLine[];
}

/** Files open at once stay few, however many runs there are. */
const AT_ONCE = 32;

/** Null where this machine has no files of the run. */
export async function diskRun(ralphHome: string, runId: string): Promise<DiskRun | null> {
  const summary = await diskSummary(ralphHome, runId);
  if (summary === null) return null;
  const notes = [...summary.notes];
  const all = await orNote(readAttempts(summary.paths), notes);
  const told = (all ?? []).map(byOthers(summary.request));
  const attempts = told.filter(({ status }) => status === 'valid');
  const rolledBack = told.filter(({ status }) => status === 'void');
  return { ...summary, attempts, rolledBack, notes: [...new Set(notes)] };
}

/** An attempt with its agent only where that was not the run's own: the fallback agent. */
export function byOthers(request: Pick<RunRequest, 'agent'> | null): (line: LedgerLine) => LedgerLine {
  const own = request === null ? null : agentTitle(request.agent);
  return (line) => (line.agent === own ? { ...line, agent: null } : line);
}

/** All runs that have files on this machine. */
export async function diskSummaries(ralphHome: string): Promise<DiskSummary[]> {
  const ids = await listRuns(ralphHome);
  const runs: DiskSummary[] = [];
  for (let start = 0; start < ids.length; start += AT_ONCE) {
    const some = await Promise.all(ids.slice(start, start + AT_ONCE).map((id) => diskSummary(ralphHome, id)));
    runs.push(...some.filter((run) => run !== null));
  }
  return runs;
}

async function diskSummary(ralphHome: string, runId: string): Promise<DiskSummary | null> {
  const paths = runPaths(ralphHome, runId);
  if (!(await exists(paths.root))) return null;
  const notes: string[] = [];
  const [request, ending, last, recorded] = await Promise.all([
    orNote(readRequest(paths), notes),
    orNote(readEnding(paths), notes),
    orNote(readLastAttempt(paths), notes),
    orNote(readRollbacks(paths), notes),
  ]);
  const all = recorded === null ? [] : recorded;
  const rollbacks = all.filter(({ done }) => done);
  const unfinishedRollback = all.find(({ done }) => !done) ?? null;
  if (unfinishedRollback !== null) {
    const ends = `ralph rollback ${runId} --to ${unfinishedRollback.to}`;
    notes.push(`A rollback was begun and not ended, and the branch may stand before or after it: ${ends} ends it.`);
  }
  // Only a run that was rolled back is worth the whole ledger here.
  const lines = all.length === 0 ? [] : ((await orNote(readAttempts(paths), notes)) ?? []);
  const voided = lines.filter(({ status }) => status === 'void').map(({ round }) => round);
  return {
    runId,
    paths,
    request,
    ending,
    last,
    rollbacks,
    rollback: rollbacks.at(-1) ?? null,
    unfinishedRollback,
    voidRounds: new Set(voided).size,
    notes,
  };
}

async function orNote<Value>(reading: Promise<Value>, notes: string[]): Promise<Value | null> {
  try {
    return await reading;
  } catch (error) {
    notes.push(`${messageOf(error)}.`);
    return null;
  }
}
