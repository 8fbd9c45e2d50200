import { access } from 'node:fs/promises';
import type { LedgerLine } from '../schemas/ledger.ts';
import type { RunEnding } from '../schemas/result.ts';
import type { RunRequest } from '../schemas/run.ts';
import { listRuns, readAttempts, readEnding, readRequest } from '../workspaces/ledger.ts';
import { type RunPaths, runPaths } from '../workspaces/run-paths.ts';
import { messageOf } from '../host/message-of.ts';

/** A run as its files tell it. Null where a file is missing, or, with a note, where it cannot be read. */
export interface DiskRun {
  readonly runId: string;
  readonly paths: RunPaths;
  readonly request: RunRequest | null;
  readonly ending: RunEnding | null;
  /** Attempts that ended, rolled back ones left out. */
  readonly attempts: readonly LedgerLine[];
  readonly notes: readonly string[];
}

/** Files open at once stay few, however many runs there are. */
const AT_ONCE = 32;

/** Null where this machine has no files of the run. */
export async function diskRun(ralphHome: string, runId: string): Promise<DiskRun | null> {
  const paths = runPaths(ralphHome, runId);
  if (!(await exists(paths.root))) return null;
  const notes: string[] = [];
  const orNote = async <Value>(reading: Promise<Value>): Promise<Value | null> => {
    try {
      return await reading;
    } catch (error) {
      notes.push(`${messageOf(error)}.`);
      return null;
    }
  };
  const [request, ending, attempts] = await Promise.all([
    orNote(readRequest(paths)),
    orNote(readEnding(paths)),
    orNote(readAttempts(paths)),
  ]);
  const valid = attempts === null ? [] : attempts.filter(({ status }) => status === 'valid');
  return { runId, paths, request, ending, attempts: valid, notes };
}

export async function diskRuns(ralphHome: string): Promise<DiskRun[]> {
  const ids = await listRuns(ralphHome);
  const runs: DiskRun[] = [];
  for (let start = 0; start < ids.length; start += AT_ONCE) {
    const some = await Promise.all(ids.slice(start, start + AT_ONCE).map((id) => diskRun(ralphHome, id)));
    runs.push(...some.filter((run) => run !== null));
  }
  return runs;
}

async function exists(file: string): Promise<boolean> {
  try {
    await access(file);
    return true;
  } catch {
    // Whatever hides the folder, there are no files to be read.
    return false;
  }
}
