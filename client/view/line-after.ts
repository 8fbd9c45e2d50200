import type { TemporalLink } from '../connect/connect.ts';
import { diskRun } from './disk-run.ts';
import type { LineEnd, RunView } from './run-view.ts';
import { isStale } from './is-stale.ts';
import { knownSuccessors, successorsOnDisk } from '../resume/successors.ts';
import { summarizeRun } from './summarize-run.ts';
import type { TemporalRun } from './temporal-run.ts';

/** What became of a run's line after it. */
export type LineAfter = Pick<RunView, 'successors' | 'lineEnd'>;

interface Ask {
  readonly ralphHome: string;
  /** A run as Temporal has it; null: Temporal does not know it, or cannot be asked. */
  readonly describe: (runId: string) => Promise<TemporalRun | null>;
  readonly successorsOf: (runId: string) => Promise<readonly string[]>;
}

export async function lineAfter(link: TemporalLink, ralphHome: string, runId: string): Promise<LineAfter> {
  const { describeRun } = await import('./temporal-run.ts');
  return lineAfterBy(runId, {
    ralphHome,
    describe: (id) => describeRun(link, id),
    successorsOf: (id) => knownSuccessors(link, ralphHome, id),
  });
}

/** The same where Temporal cannot be asked. */
export function lineAfterOnDisk(ralphHome: string, runId: string): Promise<LineAfter> {
  return lineAfterBy(runId, {
    ralphHome,
    describe: () => Promise.resolve(null),
    successorsOf: (id) => successorsOnDisk(ralphHome, id),
  });
}

async function lineAfterBy(runId: string, ask: Ask): Promise<LineAfter> {
  const successors = await ask.successorsOf(runId);
  return { successors, lineEnd: await endOf(successors, ask) };
}

/** A run that was rolled back to its beginning left the line where it was. */
async function endOf(runIds: readonly string[], ask: Ask): Promise<LineEnd | null> {
  for (const runId of runIds) {
    const later = await endOf(await ask.successorsOf(runId), ask);
    if (later !== null) return later;
    const temporal = await ask.describe(runId);
    const disk = await diskRun(ask.ralphHome, runId);
    const isAtBeginning = disk !== null && disk.rollback?.to === 0 && disk.unfinishedRollback === null;
    if (!isAtBeginning && !(await isStale(ask.ralphHome, runId)))
      return { runId, status: summarizeRun({ runId, disk, temporal }).status };
  }
  return null;
}
